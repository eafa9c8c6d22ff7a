package dev.outbox.testkit.junit;

import dev.outbox.Outbox;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.Kit;
import dev.outbox.testkit.ManualRelay;
import dev.outbox.testkit.SettableClock;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives every test a fresh {@link Kit} and its parts, as parameters of the test, of its {@code
 * BeforeEach} and {@code AfterEach} methods and of the constructor: the kit, {@link Outbox}, {@link
 * ManualRelay}, {@link InMemoryBroker}, {@link OutboxStore}, {@link InMemoryStore}, {@link
 * SettableClock}.
 *
 * <p>With the standard settings by {@code @ExtendWith(KitExtension.class)}, with others by
 * {@code @RegisterExtension} and {@link #of}. Safe for use by tests that run at the same time.
 *
 * <pre>{@code
 * class OrdersTest {
 *   static final KitExtension PLAIN = KitExtension.inMemory(); // as by ExtendWith
 *   static final @RegisterExtension KitExtension KITS = KitExtension.of(Kit.builder().lanes(4));
 *
 *   public @Test void an_order_is_published(Kit kit) {
 *     kit.enqueue(Message.to("orders.placed").text("42"));
 *     kit.deliver();
 *     assertThat(kit.broker()).hasReceived("orders.placed").once();
 *   }
 * }
 * }</pre>
 */
public final class KitExtension implements ParameterResolver, AfterEachCallback {
  private static final Map<Class<?>, Function<Kit, Object>> PARTS =
      Map.of(
          Kit.class, kit -> kit,
          Outbox.class, Kit::outbox,
          ManualRelay.class, Kit::relay,
          InMemoryBroker.class, Kit::broker,
          OutboxStore.class, Kit::store,
          InMemoryStore.class, Kit::store,
          SettableClock.class, Kit::clock);

  private final ExtensionContext.Namespace namespace =
      ExtensionContext.Namespace.create(KitExtension.class, new Object());
  private final Supplier<Kit> maker;

  /** For {@code @ExtendWith}: kits with the standard settings. */
  public KitExtension() {
    this(Kit::inMemory);
  }

  private KitExtension(Supplier<Kit> maker) {
    this.maker = maker;
  }

  /** Kits with the standard settings. */
  public static KitExtension inMemory() {
    return new KitExtension();
  }

  /** Kits with these settings. */
  public static KitExtension of(Kit.Builder settings) {
    return new KitExtension(settings::build);
  }

  /**
   * Kits that {@code maker} makes, one for each test, as over a database: {@code KitExtension.of(()
   * -> Kit.over(JdbcStore.create(emptyDatabase())))}.
   */
  public static KitExtension of(Supplier<Kit> maker) {
    return new KitExtension(Objects.requireNonNull(maker, "maker"));
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return context.getTestMethod().isPresent()
        && PARTS.containsKey(parameter.getParameter().getType());
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Kit kit = kit(context.getStore(namespace));
    Class<?> type = parameter.getParameter().getType();
    Object part = PARTS.getOrDefault(type, any -> any).apply(kit);
    if (!type.isInstance(part)) {
      throw new ParameterResolutionException(
          "this kit has no %s, it is over a %s; take OutboxStore as the parameter"
              .formatted(type.getSimpleName(), part.getClass().getSimpleName()));
    }
    return part;
  }

  /** By what JUnit 5 has too: there is no computeIfAbsent before JUnit 6. */
  private synchronized Kit kit(ExtensionContext.Store store) {
    Kit kit = store.get(Kit.class, Kit.class);
    if (kit == null) {
      kit = maker.get();
      store.put(Kit.class, kit);
    }
    return kit;
  }

  @Override
  public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
    return ExtensionContextScope.TEST_METHOD;
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Kit kit = context.getStore(namespace).remove(Kit.class, Kit.class);
    if (kit != null) {
      kit.close();
    }
  }
}
