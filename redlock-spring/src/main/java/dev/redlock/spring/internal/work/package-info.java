/**
 * A callback under a lock, from the request to the release or the loss: blocking,
 * asynchronous and reactive. The templates are its door. Knows leases and transactions,
 * and no annotation.
 */
@NullMarked
package dev.redlock.spring.internal.work;

import org.jspecify.annotations.NullMarked;
