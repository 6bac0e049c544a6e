/**
 * What a method's type and result say: the empty and the unfinished results, and whether
 * AspectJ has woven the method. How a call waits for its result is in {@code call}.
 */
@NullMarked
package dev.redlock.spring.internal.method;

import org.jspecify.annotations.NullMarked;
