/**
 * Transactions of Spring that keep leases until they have completed, of a thread and of a
 * reactive flow. Everything here may be loaded only if spring-tx is present, which
 * {@code SPRING_TX_PRESENT} says. Knows leases, and no call.
 */
@NullMarked
package dev.redlock.spring.internal.transaction;

import org.jspecify.annotations.NullMarked;
