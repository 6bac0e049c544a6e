/**
 * Guards that compare fences, so that a resource refuses a holder whose lock has ended,
 * and a header that carries fences to another service.
 */
@NullMarked
package dev.redlock.spring.fencing;

import org.jspecify.annotations.NullMarked;
