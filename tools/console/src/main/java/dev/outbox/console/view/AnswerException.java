package dev.outbox.console.view;

/** Ends a request with a status and a sentence for the person who asked. */
public final class AnswerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  public AnswerException(int status, String sentence) {
    super(sentence);
    this.status = status;
  }

  public int status() {
    return status;
  }
}
