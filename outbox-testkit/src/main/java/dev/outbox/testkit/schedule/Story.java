package dev.outbox.testkit.schedule;

import dev.outbox.message.MessageId;
import dev.outbox.testkit.history.History;
import dev.outbox.testkit.history.Note;
import dev.outbox.testkit.history.Verdict;
import dev.outbox.testkit.internal.schedule.Plan;
import dev.outbox.testkit.internal.schedule.TakenDecision;
import java.util.List;
import java.util.Map;

/** The decisions of a run with what came of each. */
record Story(
    Plan plan,
    List<TakenDecision> takenDecisions,
    History history,
    Map<MessageId, Integer> numbers) {
  private static final long SECOND = 1_000_000_000L;
  private static final int LONGEST_END = 40;

  List<Note> notes() {
    return history.notes();
  }

  String tell(Verdict verdict) {
    List<Note> notes = notes();
    StringBuilder text = new StringBuilder();
    verdict.violations().stream()
        .limit(3)
        .forEach(each -> text.append("  %s: %s%n".formatted(each.kind(), named(each.what()))));
    text.append(
        "  %d lanes, reads of at most %d messages a lane%s%n"
            .formatted(plan.lanes(), plan.batch(), later()));
    tell(notes.subList(0, takenDecisions.isEmpty() ? 0 : takenDecisions.get(0).notes()), 0, text);
    for (int number = 0; number < takenDecisions.size(); number++) {
      TakenDecision takenDecision = takenDecisions.get(number);
      boolean last = number + 1 == takenDecisions.size();
      int end = last ? notes.size() : takenDecisions.get(number + 1).notes();
      text.append(
          "%4d. %s%s%n"
              .formatted(
                  number + 1, "    ".repeat(takenDecision.depth()), takenDecision.decision()));
      int shown = last ? Math.min(end, takenDecision.notes() + LONGEST_END) : end;
      tell(notes.subList(takenDecision.notes(), shown), takenDecision.depth(), text);
      if (shown < end) {
        text.append("          and %d more notes%n".formatted(end - shown));
      }
    }
    return text.toString();
  }

  private String later() {
    return plan.answeringLater() == 0
        ? ""
        : ", publishers that answer later: " + Integer.toBinaryString(plan.answeringLater());
  }

  private void tell(List<Note> notes, int depth, StringBuilder text) {
    for (Note note : notes) {
      text.append(
          "      %s%4d s  %s%n"
              .formatted("    ".repeat(depth), note.at() / SECOND, named(note.toString())));
    }
  }

  /** Messages by their short names. */
  private String named(String text) {
    String named = text;
    for (Map.Entry<MessageId, Integer> each : numbers.entrySet()) {
      named = named.replace(each.getKey().toString(), "m" + each.getValue());
    }
    return named;
  }
}
