/**
 * The adapter to ShedLock.
 */
@NullMarked
package dev.redlock.spring.integration;

import org.jspecify.annotations.NullMarked;
