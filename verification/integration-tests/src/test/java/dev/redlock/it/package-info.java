/**
 * The starter as an application uses it.
 */
@NullMarked
package dev.redlock.it;

import org.jspecify.annotations.NullMarked;
