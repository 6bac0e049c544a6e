/**
 * The adapter to ShedLock.
 */
@NullMarked
package dev.redlock.spring.shedlock;

import org.jspecify.annotations.NullMarked;
