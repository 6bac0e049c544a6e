/**
 * What can be said of a method and of its result: the expressions that may stand in its
 * annotation, the empty or unfinished results, and whether AspectJ has woven it.
 */
@NullMarked
package dev.redlock.spring.internal.method;

import org.jspecify.annotations.NullMarked;
