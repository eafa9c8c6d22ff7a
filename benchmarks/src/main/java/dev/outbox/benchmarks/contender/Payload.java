package dev.outbox.benchmarks.contender;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * The 200 bytes that every contender moves: the message's number in 12 digits, then letters, so
 * that they are the same as text and as bytes.
 *
 * <p>Stateless.
 */
public final class Payload {
  public static final int LENGTH = 200;
  private static final int DIGITS = 12;
  private static final int KEYS = 1000;
  private static final byte[] TEMPLATE = template();

  private Payload() {}

  private static byte[] template() {
    byte[] bytes = new byte[LENGTH];
    Random random = new Random(1);
    for (int i = 0; i < LENGTH; i++) {
      bytes[i] = (byte) ('a' + random.nextInt(26));
    }
    return bytes;
  }

  /** The payload of message {@code number}. */
  public static byte[] bytes(long number) {
    byte[] bytes = TEMPLATE.clone();
    long left = number;
    for (int i = DIGITS - 1; i >= 0; i--) {
      bytes[i] = (byte) ('0' + left % 10);
      left /= 10;
    }
    return bytes;
  }

  public static String text(long number) {
    return new String(bytes(number), StandardCharsets.US_ASCII);
  }

  /**
   * The number in a payload.
   *
   * @throws IllegalArgumentException when it is none of ours
   */
  public static long number(byte[] payload) {
    requireOurs(payload.length);
    long number = 0;
    for (int i = 0; i < DIGITS; i++) {
      number = number * 10 + payload[i] - '0';
    }
    return number;
  }

  /**
   * The number in a payload that travelled as text.
   *
   * @throws IllegalArgumentException when it is none of ours
   */
  public static long number(String payload) {
    requireOurs(payload.length());
    return Long.parseLong(payload, 0, DIGITS, 10);
  }

  private static void requireOurs(int length) {
    if (length != LENGTH) {
      throw new IllegalArgumentException(
          "payload has a length of " + length + ", every one that was sent has " + LENGTH);
    }
  }

  /** The ordering key of message {@code number}: one of 1,000. */
  public static String key(long number) {
    return "k" + number % KEYS;
  }
}
