package dev.outbox.examples.testing;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.testkit.contract.PublisherContract;
import dev.outbox.testkit.contract.PublisherEnvironment;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;

/** The red test of the page: run by {@code TestYourAppPageTest} only, which expects it to fail. */
class HastyWebhook extends PublisherContract {
  @Override
  protected PublisherEnvironment open() throws Exception {
    return new WebhookServer(HastyWebhook::to);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the mistake that the page shows
  private static Publisher to(URI uri) {
    HttpClient client = HttpClient.newHttpClient();
    return flight -> {
      for (Envelope envelope : flight.envelopes()) {
        client.sendAsync(Webhook.request(uri, envelope), BodyHandlers.discarding());
        flight.ack(envelope, Ack.delivered()); // nobody has confirmed it yet
      }
    };
  }
}
