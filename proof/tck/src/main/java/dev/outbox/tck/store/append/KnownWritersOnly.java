package dev.outbox.tck.store.append;

import dev.outbox.spi.lane.OpenTransactions;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Leaves out cases that have no meaning where a store cannot tell who writes, and says so. */
record KnownWritersOnly(Supplier<OpenTransactions> writers) implements InvocationInterceptor {
  // JUnit's parameter is of a @Nullable Void, which javac shows to NullAway on newer JDKs only.
  @SuppressWarnings("NullAway")
  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    if (writers.get() instanceof OpenTransactions.Known) {
      invocation.proceed();
    } else {
      System.out.printf(
          "%s: this store cannot tell who writes; only time makes an id safe here%n",
          context.getDisplayName());
      invocation.skip();
    }
  }
}
