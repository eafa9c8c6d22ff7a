package dev.outbox.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nobody takes numbers for new, or a click for lost, while the database is silent. */
@Tag("proof")
@Timeout(300)
class WaitingPageTest {
  private Shop shop;
  private OutboxConsole console;
  private Chromium chromium;

  @BeforeEach
  void open() {
    Chromium.assumeHere();
    shop = new Shop();
    console = OutboxConsole.builder(shop.store).interval(Duration.ofMillis(500)).start();
    chromium = Chromium.start();
  }

  @AfterEach
  void close() {
    if (chromium != null) {
      chromium.close();
      console.close();
      shop.close();
    }
  }

  @Test
  void it_says_that_it_waits_and_of_when_its_numbers_are() throws Exception {
    chromium.open(console.url());
    chromium.await("Messages a second");
    try (Pause pause = Pause.of(shop.dataSource)) {
      assertThat(pause).isNotNull();
      chromium.await("waiting for the database");
      assertThat(chromium.text("main"))
          .containsPattern("has not answered for [0-9]+ s. The numbers are of ");
      chromium.picture("waiting-overview");
      assertThat(chromium.faultsForPeople()).isEmpty();
      chromium.run("location.hash = '#/topics'");
      chromium.await("Waiting for the database\u2026");
      assertThat(chromium.text("h1")).isEqualTo("Topics");
    }
    chromium.await("No topic has a message or a setting.");
    assertThat(chromium.text("body")).doesNotContain("aiting for the database");
    chromium.go("overview");
    assertThat(chromium.text("main")).doesNotContain("has not answered");
    assertThat(chromium.complaints()).isEmpty();
  }
}
