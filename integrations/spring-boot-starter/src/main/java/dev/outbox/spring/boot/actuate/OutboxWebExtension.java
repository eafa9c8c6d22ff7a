package dev.outbox.spring.boot.actuate;

import dev.outbox.spring.boot.actuate.OutboxEndpoint.Change;
import java.security.Principal;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * Logs the user who changes a topic over HTTP. It stands apart from the endpoint because JMX would
 * show the user as one more argument.
 */
@EndpointWebExtension(endpoint = OutboxEndpoint.class)
public final class OutboxWebExtension {
  private final OutboxEndpoint endpoint;

  public OutboxWebExtension(OutboxEndpoint endpoint) {
    this.endpoint = endpoint;
  }

  /** As that of the endpoint; the log says who changed what. */
  @WriteOperation
  public Map<String, String> change(
      SecurityContext security, @Selector String topic, Change change) {
    Principal principal = security.getPrincipal();
    return endpoint.change(principal == null ? "unknown" : principal.getName(), topic, change);
  }
}
