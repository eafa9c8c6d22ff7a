package dev.outbox.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.servers.Database;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TermsTest {
  @Test
  void what_is_given_is_read_and_the_rest_has_a_default() {
    Terms terms = Terms.parse("--db", "mariadb", "--kills", "7", "--seed", "-3");
    assertThat(terms.database()).isEqualTo(Database.MARIADB);
    assertThat(terms.databaseName()).isEqualTo("mariadb");
    assertThat(terms.kills()).isEqualTo(7);
    assertThat(terms.seed()).isEqualTo(-3);
    assertThat(terms.messages()).isEqualTo(20_000);
    assertThat(terms.sabotage()).isEqualTo(Sabotage.NONE);
    assertThat(terms.given()).isNull();
    assertThat(terms.hasRealBroker()).isFalse();
    assertThat(Terms.parse("--broker", "nats").broker()).isEqualTo("nats");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --relays 0            | --relays is '0', it must be a number from 1 to 20
          --writers many        | --writers is 'many', it must be a number from 1 to 20
          --messages 1000001    | --messages is '1000001', it must be a number from 1 to 1000000
          --kills -1            | --kills is '-1', it must be a number from 0 to 1000
          --db oracle           | --db is 'oracle', it must be postgres, mysql, mariadb or h2
          --broker redis        | --broker is 'redis', it must be kafka, rabbitmq or nats
          --url localhost       | --url is 'localhost', it must begin with jdbc:
          --url jdbc:mysql://x  | --url is 'jdbc:mysql://x', with --db h2 it must begin with jdbc:h2:tcp:
          --user me             | --user and --password are of no use without --url
          --sabotage everything | --sabotage is 'everything', it must be one of none, lose, repeat, early
          --kill 4              | --kill is not an argument; --help tells which there are
          --kills               | --kills has no value; --help tells which it may have
          """)
  void a_bad_argument_is_named_with_its_value_and_its_limit(String arguments, String answer) {
    assertThatThrownBy(() -> Terms.parse(arguments.split(" ", -1)))
        .isInstanceOf(BadArgumentException.class)
        .hasMessage(answer);
  }

  @Test
  void a_seed_says_which_numbers_it_may_have() {
    assertThatThrownBy(() -> Terms.parse("--seed", "x"))
        .hasMessageStartingWith("--seed is 'x', it must be a number from -9223372036854775808 to");
  }
}
