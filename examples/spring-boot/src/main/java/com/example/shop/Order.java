package com.example.shop;

import java.time.Instant;

public record Order(String id, int cents, Instant placed) {}
