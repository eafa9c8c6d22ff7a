/** An application that changes its outbox. */
@NullMarked
package com.example;

import org.jspecify.annotations.NullMarked;
