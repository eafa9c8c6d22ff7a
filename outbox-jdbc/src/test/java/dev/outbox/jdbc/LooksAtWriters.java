package dev.outbox.jdbc;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Its relays ask MySQL and MariaDB all the time who writes. A server makes that list again only
 * when nobody has read it for a while, which relays of another class would wait for in vain: one
 * class at a time. They come first, so that the others go on beside them.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@LooksAtWriters.OfMySql
@LooksAtWriters.OfMariaDb
public @interface LooksAtWriters {
  /** The same of a class that runs on MySQL only. */
  @Target({ElementType.TYPE, ElementType.ANNOTATION_TYPE})
  @Retention(RetentionPolicy.RUNTIME)
  @ResourceLock("the list of writers of MySQL")
  @Order(1)
  @interface OfMySql {}

  /** The same of a class that runs on MariaDB only. */
  @Target({ElementType.TYPE, ElementType.ANNOTATION_TYPE})
  @Retention(RetentionPolicy.RUNTIME)
  @ResourceLock("the list of writers of MariaDB")
  @Order(1)
  @interface OfMariaDb {}
}
