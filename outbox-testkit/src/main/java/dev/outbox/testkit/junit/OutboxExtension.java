package dev.outbox.testkit.junit;

import dev.outbox.Outbox;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.ManualRelay;
import dev.outbox.testkit.OutboxKit;
import dev.outbox.testkit.SettableClock;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives every test a fresh {@link OutboxKit} and its parts, as parameters of the test, of its
 * {@code BeforeEach} and {@code AfterEach} methods and of the constructor: the kit, {@link Outbox},
 * {@link ManualRelay}, {@link InMemoryBroker}, {@link InMemoryStore}, {@link SettableClock}.
 *
 * <p>With the standard settings by {@code @ExtendWith(OutboxExtension.class)}, with others by
 * {@code @RegisterExtension} and {@link #of}. Safe for use by tests that run at the same time.
 */
public final class OutboxExtension implements ParameterResolver, AfterEachCallback {
  private static final Map<Class<?>, Function<OutboxKit, Object>> PARTS =
      Map.of(
          OutboxKit.class, kit -> kit,
          Outbox.class, OutboxKit::outbox,
          ManualRelay.class, OutboxKit::relay,
          InMemoryBroker.class, OutboxKit::broker,
          InMemoryStore.class, OutboxKit::store,
          SettableClock.class, OutboxKit::clock);

  private final ExtensionContext.Namespace namespace =
      ExtensionContext.Namespace.create(OutboxExtension.class, new Object());
  private final OutboxKit.Builder settings;

  /** For {@code @ExtendWith}: kits with the standard settings. */
  public OutboxExtension() {
    this(OutboxKit.builder());
  }

  private OutboxExtension(OutboxKit.Builder settings) {
    this.settings = settings;
  }

  /** Kits with the standard settings. */
  public static OutboxExtension inMemory() {
    return new OutboxExtension();
  }

  /** Kits with these settings. */
  public static OutboxExtension of(OutboxKit.Builder settings) {
    return new OutboxExtension(settings);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return context.getTestMethod().isPresent()
        && PARTS.containsKey(parameter.getParameter().getType());
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    OutboxKit kit =
        context
            .getStore(namespace)
            .computeIfAbsent(OutboxKit.class, any -> fresh(), OutboxKit.class);
    Function<OutboxKit, Object> part = PARTS.get(parameter.getParameter().getType());
    return part == null ? kit : part.apply(kit);
  }

  private synchronized OutboxKit fresh() {
    return settings.build();
  }

  @Override
  public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
    return ExtensionContextScope.TEST_METHOD;
  }

  @Override
  public void afterEach(ExtensionContext context) {
    OutboxKit kit = context.getStore(namespace).remove(OutboxKit.class, OutboxKit.class);
    if (kit != null) {
      kit.close();
    }
  }
}
