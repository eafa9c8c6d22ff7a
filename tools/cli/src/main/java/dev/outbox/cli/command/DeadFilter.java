package dev.outbox.cli.command;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.cli.Exit;
import dev.outbox.cli.Refusal;
import dev.outbox.cli.text.AgeConverter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which dead letters are meant; used by one thread, picocli sets it. */
final class DeadFilter {
  @Option(names = "--topic", description = "Those of this topic.")
  private @Nullable String topic;

  @Option(names = "--key", description = "Those with this key.")
  private @Nullable String key;

  @Option(names = "--reason", description = "Those that died for it: ${COMPLETION-CANDIDATES}.")
  private DeadLetter.@Nullable Reason reason;

  @Option(
      names = "--error",
      paramLabel = "TEXT",
      description = "Those with this text in their last error, whatever the case of its letters.")
  private @Nullable String error;

  @Option(
      names = "--older-than",
      paramLabel = "AGE",
      converter = AgeConverter.class,
      description = "Those that died at least so long ago: 30s, 15m, 2h, 7d.")
  private @Nullable Duration olderThan;

  @Option(
      names = "--up-to",
      paramLabel = "NUMBER",
      description = "Those up to this number, such as a dry run tells.")
  private @Nullable Long upTo;

  Filter filter() {
    if (error != null && error.isEmpty()) {
      throw new Refusal(Exit.USAGE, "--error is empty; leave it out, and all errors fit");
    }
    Filter filter = Filter.all();
    filter = topic == null ? filter : filter.topic(topic);
    filter = key == null ? filter : filter.key(key);
    filter = reason == null ? filter : filter.reason(reason);
    filter = error == null ? filter : filter.error(error);
    filter = olderThan == null ? filter : filter.olderThan(olderThan);
    return upTo == null ? filter : filter.upTo(upTo);
  }

  /** True when nothing was named. */
  boolean isOfAll() {
    return filter().equals(Filter.all());
  }
}
