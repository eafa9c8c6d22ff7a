package dev.outbox.spring.boot.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.util.ReflectionUtils;

/** What the library finds at run time and a native image would leave out. */
final class OutboxRuntimeHints implements RuntimeHintsRegistrar {
  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
    hints.resources().registerPattern("dev/outbox/jdbc/sql/**");
    hints.resources().registerPattern("dev/outbox/jdbc/ddl/**");
    // there from JDK 21 on, so it is looked up
    java.lang.reflect.Method virtual =
        ReflectionUtils.findMethod(
            java.util.concurrent.Executors.class, "newVirtualThreadPerTaskExecutor");
    if (virtual != null) {
      hints.reflection().registerMethod(virtual, ExecutableMode.INVOKE);
    }
  }
}
