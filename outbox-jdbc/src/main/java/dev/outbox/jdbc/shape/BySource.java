package dev.outbox.jdbc.shape;

/** One text for each place where messages are that can be taken over. */
public record BySource(String parked, String ready, String delayed) {
  /** The places, in the order in which they are taken. */
  public enum Source {
    PARKED,
    READY,
    /** They are promoted to their own ids: behind all that is dead. */
    DELAYED;

    /** True for those whose ids are of their own. */
    public boolean isDelayed() {
      return this == DELAYED;
    }
  }

  public String of(Source source) {
    return switch (source) {
      case PARKED -> parked;
      case READY -> ready;
      case DELAYED -> delayed;
    };
  }
}
