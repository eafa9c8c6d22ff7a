/** An application as a user has it, and the test of docs/spring-boot.md. */
package com.example.shop;
