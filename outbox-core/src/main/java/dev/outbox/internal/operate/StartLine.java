package dev.outbox.internal.operate;

import dev.outbox.Claiming;
import dev.outbox.internal.publish.WrappingPublisher;
import dev.outbox.publish.BrokerGuarantees;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.Layout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The line that says what has started, and what to expect of it. */
public final class StartLine {
  private static final Logger log = LoggerFactory.getLogger(StartLine.class);

  private StartLine() {}

  /** Logs that a relay has started. */
  public static void log(String relay, Layout layout, Publisher publisher) {
    log.info("relay={} started: {}", relay, text(layout, publisher));
  }

  static String text(Layout layout, Publisher publisher) {
    String work = layout.claiming() == Claiming.ROWS ? "row claims" : layout.lanes() + " lanes";
    return "%s, publisher %s; %s".formatted(work, name(publisher), promise(publisher));
  }

  private static String promise(Publisher publisher) {
    if (publisher.isTransactional()) {
      return "what it writes is committed with the message";
    }
    BrokerGuarantees declared = publisher.brokerGuarantees();
    String twice =
        "a message may be %s twice after a crash"
            .formatted(declared.dedupes() ? "sent" : "delivered");
    return declared.equals(BrokerGuarantees.nothing())
        ? twice
        : twice + "; the broker: " + declared;
  }

  /** The class that the user knows. */
  private static String name(Publisher publisher) {
    if (publisher instanceof WrappingPublisher wrapping) {
      return name(wrapping.publisher());
    }
    String name = publisher.getClass().getName();
    int lambda = name.indexOf("$$Lambda");
    String type = lambda < 0 ? name : name.substring(0, lambda);
    String simple = type.substring(type.lastIndexOf('.') + 1);
    return lambda < 0 ? simple : "lambda of " + simple;
  }
}
