package dev.outbox.spring.boot.autoconfigure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.NativeDetector;
import org.springframework.core.env.Environment;

/**
 * Loads the classes that our beans will need, in a thread of its own, while Spring Boot makes its
 * context: in an executable jar each of them is looked for in all jars that stand before ours. Once
 * per JVM.
 */
final class EarlyClasses implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {
  static final String LIST = "early-classes.txt";

  private static final Logger log = LoggerFactory.getLogger(EarlyClasses.class);
  private static final AtomicBoolean BEGUN = new AtomicBoolean();

  @Override
  public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
    if (isWorthIt(event.getEnvironment()) && BEGUN.compareAndSet(false, true)) {
      Thread thread = new Thread(EarlyClasses::load, "outbox-early-classes");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private static boolean isWorthIt(Environment environment) {
    return environment.getProperty("outbox.enabled", boolean.class, true)
        && Runtime.getRuntime().availableProcessors() > 1
        && !NativeDetector.inNativeImage();
  }

  private static void load() {
    for (String name : names()) {
      try {
        link(Class.forName(name, false, EarlyClasses.class.getClassLoader()));
      } catch (ClassNotFoundException | LinkageError e) {
        log.debug("{} is loaded when it is needed", name, e);
      }
    }
  }

  /** To be asked for its constructors a class is verified, but not initialized. */
  private static void link(Class<?> type) {
    Objects.requireNonNull(type.getDeclaredConstructors());
  }

  static List<String> names() {
    try (InputStream list = EarlyClasses.class.getResourceAsStream(LIST);
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(Objects.requireNonNull(list), StandardCharsets.UTF_8))) {
      return lines.lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
