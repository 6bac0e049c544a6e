/**
 * The leases under which callbacks run: granted by the nodes, nested in one another, and
 * shown as one; and the interrupt when a lease is lost. Knows neither calls nor
 * transactions, which tell a lease what it needs.
 */
@NullMarked
package dev.redlock.spring.internal.lease;

import org.jspecify.annotations.NullMarked;
