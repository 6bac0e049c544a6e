/**
 * What can be said of a method before it is called: the expressions that may stand in its
 * annotation, the kind of its result, and whether AspectJ has woven it.
 */
@NullMarked
package dev.redlock.spring.internal.method;

import org.jspecify.annotations.NullMarked;
