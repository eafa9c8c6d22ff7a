package dev.outbox.jdbc.mistakes;

