package dev.outbox.jdbc.proof;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Has the servers of proofs to itself, and keeps time by its own processes, of which the machine
 * has room for those of one class. One thread runs these from the start, without a gap: they make
 * the longest row. In the daily build those with processes run on one database, see {@link Proof}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ResourceLock("servers and processes of proofs")
@Execution(ExecutionMode.SAME_THREAD)
@Order(0)
@interface OneAtATime {}
