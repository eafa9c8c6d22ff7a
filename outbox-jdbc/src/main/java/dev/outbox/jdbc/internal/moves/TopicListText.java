package dev.outbox.jdbc.internal.moves;

import java.util.Set;
import java.util.TreeSet;

/** Topics that are held, as the one text in which a statement looks for a row's topic. */
public final class TopicListText {
  private static final String AROUND = "\u0001";

  private TopicListText() {}

  public static String text(Set<String> topics) {
    return AROUND + String.join(AROUND, new TreeSet<>(topics)) + AROUND;
  }
}
