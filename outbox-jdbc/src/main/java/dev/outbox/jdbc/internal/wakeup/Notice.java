package dev.outbox.jdbc.internal.wakeup;

import dev.outbox.spi.Layout;
import dev.outbox.spi.lane.Lane;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What is said on a channel: the lanes with news, none for anywhere, and the name of the process
 * that says so. As text {@code 3,17 5f0c}, or {@code * 5f0c}; other writers may leave the name out.
 *
 * <p>Immutable.
 */
record Notice(Set<Lane> lanes, String sender) {
  private static final int MOST = 100;
  private static final Pattern LANES = Pattern.compile("\\d{1,4}(,\\d{1,4})*");

  Notice {
    lanes = Set.copyOf(lanes);
  }

  /** Reads a text; one that says nothing understandable is news from anywhere. */
  static Notice of(String text) {
    int end = text.indexOf(' ');
    String lanes = end < 0 ? text : text.substring(0, end);
    return new Notice(lanes(lanes), end < 0 ? "" : text.substring(end + 1));
  }

  private static Set<Lane> lanes(String text) {
    if (!LANES.matcher(text).matches()) {
      return Set.of();
    }
    Set<Lane> lanes =
        Pattern.compile(",")
            .splitAsStream(text)
            .map(number -> new Lane(Integer.parseInt(number)))
            .collect(Collectors.toSet());
    return lanes.stream().allMatch(lane -> lane.number() < Layout.MAX_LANES) ? lanes : Set.of();
  }

  /** The text to send; many lanes are anywhere. */
  String text() {
    boolean anywhere = lanes.isEmpty() || lanes.size() > MOST;
    return (anywhere ? "*" : sorted()) + " " + sender;
  }

  private String sorted() {
    return lanes.stream().sorted().map(Lane::toString).collect(Collectors.joining(","));
  }
}
