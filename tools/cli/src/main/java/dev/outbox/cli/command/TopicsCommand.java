package dev.outbox.cli.command;

import dev.outbox.Snapshot;
import dev.outbox.cli.Exit;
import dev.outbox.cli.connect.Invocation;
import dev.outbox.cli.connect.Looks;
import dev.outbox.cli.text.Printer;
import dev.outbox.console.look.HumanText;
import dev.outbox.console.look.Look;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What waits of each topic, and what is set for it. */
@Command(name = "topics", description = "What waits of each topic, and what is set for it.")
public final class TopicsCommand implements Callable<Integer> {
  private final Invocation invocation;

  @Mixin private Looks looks = new Looks();

  public TopicsCommand(Invocation invocation) {
    this.invocation = invocation;
  }

  @Override
  public Integer call() {
    Look look = looks.look(invocation);
    Map<String, Object> values = new LinkedHashMap<>();
    Values.topics(look).forEach((name, topic) -> values.put(name, topic.values()));
    invocation.printer().answer(values, printer -> print(printer, look));
    return Exit.DONE;
  }

  private static void print(Printer printer, Look look) {
    List<List<String>> rows = rows(look);
    printer.table(List.of("TOPIC", "READY", "PARKED", "DELAYED", "DEAD", "SETTING"), rows);
    if (rows.isEmpty()) {
      printer.line("No topic has a message or a setting.");
    }
  }

  static List<List<String>> rows(Look look) {
    List<List<String>> rows = new ArrayList<>();
    Snapshot all = look.snapshot();
    Values.topics(look)
        .forEach(
            (name, topic) ->
                rows.add(
                    List.of(
                        name,
                        HumanText.count(topic.depth().ready(), look.isCut(all.ready())),
                        HumanText.count(topic.depth().parked(), look.isCut(all.parked())),
                        HumanText.count(topic.depth().delayed(), look.isCut(all.delayed())),
                        HumanText.count(topic.depth().dead(), look.isCut(all.dead())),
                        Values.text(topic.setting()))));
    return rows;
  }
}
