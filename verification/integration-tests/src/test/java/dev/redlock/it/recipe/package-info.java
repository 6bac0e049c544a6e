/**
 * The recipes of the page about scheduled jobs, each on two instances at once.
 */
@NullMarked
package dev.redlock.it.recipe;

import org.jspecify.annotations.NullMarked;
