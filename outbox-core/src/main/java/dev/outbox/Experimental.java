package dev.outbox;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * May change in a minor version, without a deprecation before: a package with all that is in it, a
 * type, or one member. What is not marked so keeps its promise, see docs/versions.md.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({
  ElementType.PACKAGE,
  ElementType.TYPE,
  ElementType.METHOD,
  ElementType.CONSTRUCTOR,
  ElementType.FIELD
})
public @interface Experimental {}
