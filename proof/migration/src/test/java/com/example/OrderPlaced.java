package com.example;

import org.springframework.modulith.events.Externalized;

/** An event as an application has it, which the pages call so. */
@Externalized("orders.placed::#{customer()}")
public record OrderPlaced(String customer, int number) {}
