package dev.outbox.spring.boot;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.security.Principal;

/** In place of a real login: the user is whom the header {@code X-Login} names. */
final class Login implements Filter {
  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    chain.doFilter(new LoggedIn((HttpServletRequest) request), response);
  }

  private static final class LoggedIn extends HttpServletRequestWrapper {
    LoggedIn(HttpServletRequest request) {
      super(request);
    }

    @Override
    public Principal getUserPrincipal() {
      String name = getHeader("X-Login");
      return name == null ? null : () -> name;
    }
  }
}
