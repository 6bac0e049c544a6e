/**
 * What the aspect and the interceptors tell each other: a call of a woven method, the
 * call that a proxy has locked already, and who locks. Knows no other room, and not the
 * aspect: {@code Weaving}, which says whether a method is woven, is in {@code method}.
 */
@NullMarked
package dev.redlock.spring.internal.weaving;

import org.jspecify.annotations.NullMarked;
