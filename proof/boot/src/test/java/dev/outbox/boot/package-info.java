/** Whole applications of Spring Boot in their own processes, on real servers. */
package dev.outbox.boot;
