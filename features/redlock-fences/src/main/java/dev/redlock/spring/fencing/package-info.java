/**
 * Checks of the fence, with which a resource refuses a holder whose lock has ended, and
 * fences that one service sends to another.
 */
@NullMarked
package dev.redlock.spring.fencing;

import org.jspecify.annotations.NullMarked;
