package dev.outbox.spring.boot.test;

import dev.outbox.spring.boot.autoconfigure.OutboxAutoConfiguration;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestExecutionListeners;
import org.springframework.test.context.TestPropertySource;

/**
 * Gives a Spring test a {@code Kit} over the application's own database: the application enqueues
 * as ever, no relay runs by itself, and nothing leaves the process. Use it beside
 * {@code @SpringBootTest}, or beside a slice with a database, such as {@code @DataJpaTest}.
 *
 * <pre>{@code
 * @SpringBootTest
 * @OutboxTest
 * class OrdersTest {
 *   @Test
 *   void a_placed_order_is_published(@Autowired Orders orders, @Autowired Kit kit) {
 *     orders.place("42");
 *
 *     assertThat(kit).hasEnqueued("orders.placed").withKey("42").times(1);
 *     kit.deliver();
 *     assertThat(kit.broker()).hasReceived("orders.placed").withKey("42").once();
 *   }
 * }
 * }</pre>
 *
 * <p>Before each test what the one before left is delivered and forgotten, as {@code Kit.clear}
 * does. A test that rolls back its own transaction, as {@code @Transactional} ones do, enqueues
 * nothing that could be delivered.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ImportAutoConfiguration({OutboxAutoConfiguration.class, OutboxTestAutoConfiguration.class})
@TestExecutionListeners(
    listeners = KitClearing.class,
    mergeMode = TestExecutionListeners.MergeMode.MERGE_WITH_DEFAULTS)
@TestPropertySource(properties = "outbox.relay.enabled=false")
public @interface OutboxTest {}
