/** Wake-ups of other processes by LISTEN and NOTIFY: an ear, a voice, and a channel per outbox. */
package dev.outbox.jdbc.internal.wakeup;
