package com.example.shop;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application of docs/spring-boot.md. */
@SpringBootApplication
class ShopApplication {}
