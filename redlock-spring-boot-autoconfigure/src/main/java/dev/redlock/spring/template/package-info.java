/**
 * Locks around pieces of code.
 */
@NullMarked
package dev.redlock.spring.template;

import org.jspecify.annotations.NullMarked;
