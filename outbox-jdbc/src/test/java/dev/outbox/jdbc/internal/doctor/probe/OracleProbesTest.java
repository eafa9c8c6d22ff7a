package dev.outbox.jdbc.internal.doctor.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Claiming;
import dev.outbox.jdbc.dialect.OracleDialect;
import dev.outbox.jdbc.internal.doctor.base.Check;
import dev.outbox.jdbc.internal.doctor.base.ExaminedDatabase;
import dev.outbox.jdbc.internal.doctor.base.ExaminedDatabase.Outbox;
import dev.outbox.jdbc.internal.session.Tables;
import dev.outbox.spi.Layout;
import dev.outbox.spi.Usage;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.shardingsphere.sql.parser.api.CacheOption;
import org.apache.shardingsphere.sql.parser.api.SQLParserEngine;
import org.junit.jupiter.api.Test;

/** What the doctor would ask Oracle, parsed by a grammar: no server has answered it yet. */
class OracleProbesTest {
  private static final Tables TABLES = Tables.of("shop", "outbox", 128);

  private final SQLParserEngine grammar = new SQLParserEngine("Oracle", new CacheOption(1, 1));
  private final OracleProbes probes = new OracleProbes();

  @Test
  void every_question_is_oracle() {
    List<String> questions =
        new ArrayList<>(
            Stream.of(
                    probes.session(),
                    probes.clock(),
                    probes.user(),
                    probes.select(),
                    probes.insert(),
                    probes.update(),
                    probes.delete(),
                    probes.lock(),
                    OracleProbes.CLUSTER,
                    OracleProbes.IDLE_BLOCKER)
                .map(text -> text.replace("{table}", "outbox").replace("{column}", "lane"))
                .toList());
    probes.checks().forEach(check -> questions.add(asked(check)));

    assertThat(questions).hasSize(10 + probes.checks().size()).doesNotContain("");
    questions.forEach(question -> grammar.parse(question.replaceAll(":\\w+", "?"), false));
  }

  /** The first question of a check, which a connection without an answer hears. */
  private static String asked(Check check) {
    StringBuilder heard = new StringBuilder();
    Connection deaf =
        (Connection)
            Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("prepareStatement")) {
                    heard.append(arguments[0]);
                    throw new SQLException("no answer");
                  }
                  return method.getReturnType() == boolean.class ? (Object) true : null;
                });
    Layout layout = new Layout(3, 32, Claiming.LANES);
    Usage usage = new Usage(Usage.Role.RELAY, Claiming.LANES, 2, Duration.ofSeconds(15));
    Outbox outbox = new Outbox(new OracleDialect(), TABLES, layout, false);
    try {
      check.look().at(new ExaminedDatabase(deaf, outbox, usage, Duration.ofMinutes(1)));
    } catch (SQLException e) {
      assertThat(e.getMessage()).isEqualTo("no answer");
    }
    return heard.toString();
  }
}
