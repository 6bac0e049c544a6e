/**
 * Transactions of Spring that keep leases until they have completed, of a thread and of a
 * reactive flow. Only {@code LeasesHeldByTransaction} and {@code OpenTransaction} may be
 * loaded without spring-tx; {@code LeasesHeldByTransaction.SPRING_TX_PRESENT} says
 * whether it is there. Knows leases, and no call.
 */
@NullMarked
package dev.redlock.spring.internal.transaction;

import org.jspecify.annotations.NullMarked;
