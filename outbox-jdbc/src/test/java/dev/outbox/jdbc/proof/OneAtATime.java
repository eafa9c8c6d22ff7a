package dev.outbox.jdbc.proof;

import dev.outbox.jdbc.LooksAtWriters;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Keeps time by processes of its own, of which the machine has room for those of one class. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ResourceLock("processes")
@LooksAtWriters
@interface OneAtATime {}
