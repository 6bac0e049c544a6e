/**
 * One call of a locked method: the interceptor, the specification, an invoker for each
 * kind of return type, and what the caller gets if there was no lock. Knows the
 * templates, and not where the specification came from. How a lock is taken, lost and
 * released is in {@code work}.
 */
@NullMarked
package dev.redlock.spring.internal.call;

import org.jspecify.annotations.NullMarked;
