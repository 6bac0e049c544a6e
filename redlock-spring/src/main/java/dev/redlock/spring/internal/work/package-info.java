/**
 * A callback under a lock, from the request to the release: blocking, asynchronous and
 * reactive. The templates are its door. Knows leases and transactions.
 */
@NullMarked
package dev.redlock.spring.internal.work;

import org.jspecify.annotations.NullMarked;
