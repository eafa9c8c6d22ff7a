/** Everything a user needs to test a publisher, a consumer or a whole flow. */
@NullMarked
package dev.outbox.testkit;

import org.jspecify.annotations.NullMarked;
