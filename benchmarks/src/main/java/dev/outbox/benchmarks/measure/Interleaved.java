package dev.outbox.benchmarks.measure;

import dev.outbox.benchmarks.contender.Contender;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rounds in which every contender has its turn, so that what changes on the machine meanwhile, and
 * who comes after whom, touches all: A B C, C B A, and so on, after rounds of warm-up that do not
 * count.
 *
 * <p>Immutable.
 */
public record Interleaved(List<Contender> contenders, int warmUps, int rounds) {
  /** One run of one contender, checked. */
  @FunctionalInterface
  public interface Trial {
    Measures run(Contender contender) throws Exception;
  }

  /** Hears of each run that counts. */
  @FunctionalInterface
  public interface Witness {
    void saw(Contender contender, int round, Measures measures);
  }

  /**
   * What each contender gave in each round that counts.
   *
   * @throws IllegalStateException when a run fails, with the contender's name
   */
  public Map<Contender, Samples> run(Trial trial, Witness witness) {
    Map<Contender, Samples> samples = new LinkedHashMap<>();
    contenders.forEach(contender -> samples.put(contender, new Samples()));
    for (int round = 1 - warmUps; round <= rounds; round++) {
      List<Map.Entry<Contender, Samples>> turn = new ArrayList<>(samples.entrySet());
      if (round % 2 == 0) {
        Collections.reverse(turn);
      }
      for (Map.Entry<Contender, Samples> entry : turn) {
        Measures measures = run(trial, entry.getKey(), round);
        if (round > 0) {
          witness.saw(entry.getKey(), round, measures);
          entry.getValue().add(measures);
        }
      }
    }
    return samples;
  }

  private static Measures run(Trial trial, Contender contender, int round) {
    try {
      return trial.run(contender);
    } catch (Exception e) {
      String which = round < 1 ? "a warm-up" : "round " + round;
      throw new IllegalStateException(
          contender.name() + " failed in " + which + ": " + e.getMessage(), e);
    }
  }
}
