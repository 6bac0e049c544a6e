/**
 * What operators see of an application with locks.
 */
@NullMarked
package dev.redlock.it.operations;

import org.jspecify.annotations.NullMarked;
