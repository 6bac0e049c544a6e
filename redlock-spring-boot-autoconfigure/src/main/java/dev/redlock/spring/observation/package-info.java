/**
 * The names, tags and contexts of the observations of locks, for conventions of the
 * application.
 */
@NullMarked
package dev.redlock.spring.observation;

import org.jspecify.annotations.NullMarked;
