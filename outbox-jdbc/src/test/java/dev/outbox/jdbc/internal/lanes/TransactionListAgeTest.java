package dev.outbox.jdbc.internal.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TransactionListAgeTest {
  private static final Duration SOON = Duration.ofSeconds(3);
  private static final Duration LATE = Duration.ofSeconds(11);

  private final TransactionListAge copy = new TransactionListAge(0);

  @Test
  void before_the_first_copy_nothing_is_known_to_be_young() {
    assertThat(copy.at(SOON.toNanos())).isGreaterThan(Duration.ofHours(1));
  }

  @Test
  void a_first_copy_that_is_not_made_is_given_up_after_some_seconds() {
    assertThat(copy.at(LATE.toNanos())).isNull();

    copy.madeAt(LATE.toNanos());

    assertThat(copy.at(LATE.plus(SOON).toNanos())).isEqualTo(SOON);
  }

  @Test
  void while_it_is_not_made_again_its_age_is_reported() {
    copy.madeAt(0);
    copy.askedInVain();

    assertThat(copy.at(LATE.toNanos())).isEqualTo(LATE);
  }

  @Test
  void one_that_is_not_made_again_however_often_it_is_asked_for_is_given_up_until_it_is() {
    copy.madeAt(0);
    for (int question = 0; question < TransactionListAge.MOST_IN_VAIN; question++) {
      assertThat(copy.at(SOON.toNanos())).isNotNull();
      copy.askedInVain();
    }
    assertThat(copy.at(SOON.toNanos())).isNull();

    copy.madeAt(LATE.toNanos());

    assertThat(copy.at(LATE.toNanos())).isZero();
  }
}
