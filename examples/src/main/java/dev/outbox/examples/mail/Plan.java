package dev.outbox.examples.mail;

import java.util.List;

/**
 * What a run is asked for: how many mails, how many kills, and the seed of their order.
 *
 * <p>Immutable. Defaults: 400 mails, 20 kills, a new seed.
 */
record Plan(int mails, int kills, long seed) {
  private static final int MOST = 100_000;

  static Plan of(List<String> arguments) {
    int mails = 400;
    int kills = 20;
    long seed = Math.floorMod(System.nanoTime(), MOST);
    for (int i = 0; i < arguments.size(); i += 2) {
      String name = arguments.get(i);
      String value = i + 1 < arguments.size() ? arguments.get(i + 1) : "";
      switch (name) {
        case "--mails" -> mails = number(name, value, 1);
        case "--kills" -> kills = number(name, value, 0);
        case "--seed" -> seed = number(name, value, 0);
        default ->
            throw new IllegalArgumentException(
                name + " is not known; known are --mails, --kills and --seed");
      }
    }
    return new Plan(mails, kills, seed);
  }

  private static int number(String name, String value, int least) {
    if (!value.matches("\\d{1,9}")
        || Integer.parseInt(value) < least
        || Integer.parseInt(value) > MOST) {
      throw new IllegalArgumentException(
          "%s is '%s', it must be a number from %d to %d".formatted(name, value, least, MOST));
    }
    return Integer.parseInt(value);
  }
}
