package dev.outbox.spring.boot.test;

import dev.outbox.testkit.Kit;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/** Each test begins with an empty broker. */
final class KitClearing implements TestExecutionListener {
  @Override
  public void beforeTestMethod(TestContext test) {
    test.getApplicationContext().getBean(Kit.class).clear();
  }
}
