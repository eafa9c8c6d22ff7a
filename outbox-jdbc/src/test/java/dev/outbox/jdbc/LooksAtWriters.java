package dev.outbox.jdbc;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Its relays ask a MySQL or MariaDB all the time who writes. The server makes that list anew only
 * when nobody has read it for a while, which a test of the list itself would wait for in vain.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ResourceLock(value = LooksAtWriters.LIST, mode = ResourceAccessMode.READ)
public @interface LooksAtWriters {
  String LIST = "the list of writers of a server";
}
