/**
 * Guards that compare fences, so that a resource refuses a caller whose lock has ended.
 * The header {@code Redlock-Fence} carries fences to another service.
 */
@NullMarked
package dev.redlock.spring.fencing;

import org.jspecify.annotations.NullMarked;
