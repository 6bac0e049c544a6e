/**
 * One call of a locked method: its specification, the invokers by return type, and what
 * happens to a call that gets no lock. Knows the templates, and not where the
 * specification came from.
 */
@NullMarked
package dev.redlock.spring.internal.call;

import org.jspecify.annotations.NullMarked;
