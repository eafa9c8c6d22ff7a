/** The suite that every publisher must pass; extend it and say how to open yours. */
@NullMarked
package dev.outbox.testkit.contract;

import org.jspecify.annotations.NullMarked;
