package dev.outbox.spring.boot.console;

import dev.outbox.console.ConsoleRequest;
import dev.outbox.console.ConsoleResponse;
import dev.outbox.console.OutboxConsole;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.MappingMatch;
import java.io.IOException;
import java.security.Principal;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.web.HttpRequestHandler;

/**
 * Hands requests below a path to the console, for the user that the application has logged in.
 *
 * <p>Safe for use by many threads. It closes the console as the context begins to close, because
 * its streams would hold up the web server's end.
 */
public final class ConsoleHandler
    implements HttpRequestHandler, ApplicationListener<ContextClosedEvent> {
  private static final String USER = "X-Outbox-User";

  private final OutboxConsole console;
  private final String path;
  private final ApplicationContext context;

  ConsoleHandler(OutboxConsole console, String path, ApplicationContext context) {
    if (!path.matches("(/[\\w.-]+)+")) {
      throw new IllegalArgumentException(
          "outbox.console.path is %s, it must begin with a slash and end without one, such as /outbox"
              .formatted(path));
    }
    this.console = console;
    this.path = path;
    this.context = context;
  }

  String path() {
    return path;
  }

  /**
   * The user that {@link #asked} has written there; what the client sent under the name is gone.
   */
  static @Nullable String user(ConsoleRequest request) {
    return request.header(USER);
  }

  @Override
  public void handleRequest(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String mount = mount(request);
    String below = request.getRequestURI().substring(mount.length());
    if (below.isEmpty()) {
      response.sendRedirect(mount + "/");
      return;
    }
    ConsoleResponse answer = console.answer(asked(request, below));
    response.setStatus(answer.status());
    answer.headers().forEach(response::setHeader);
    if (!request.getMethod().equals("HEAD")) {
      answer.body().writeTo(response.getOutputStream());
    }
  }

  /** The servlet of Spring MVC may have a path of its own: {@code spring.mvc.servlet.path}. */
  private String mount(HttpServletRequest request) {
    boolean hasPath = request.getHttpServletMapping().getMappingMatch() == MappingMatch.PATH;
    return request.getContextPath() + (hasPath ? request.getServletPath() : "") + path;
  }

  private static ConsoleRequest asked(HttpServletRequest request, String below) throws IOException {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String name : Collections.list(request.getHeaderNames())) {
      headers.put(name, String.join("; ", Collections.list(request.getHeaders(name))));
    }
    headers.remove(USER);
    Principal principal = request.getUserPrincipal();
    if (principal != null) {
      headers.put(USER, principal.getName());
    }
    return new ConsoleRequest(
        request.getMethod(),
        below,
        query(request),
        headers,
        request.getInputStream(),
        request.getRemoteAddr());
  }

  private static Map<String, String> query(HttpServletRequest request) {
    Map<String, String> query = new HashMap<>();
    if (request.getMethod().equals("GET")) {
      request.getParameterMap().forEach((name, values) -> query.put(name, values[0]));
    }
    return query;
  }

  @Override
  public void onApplicationEvent(ContextClosedEvent event) {
    boolean isOwn = event.getApplicationContext() == context; // or of one below, such as actuator's
    if (isOwn) {
      console.close();
    }
  }
}
