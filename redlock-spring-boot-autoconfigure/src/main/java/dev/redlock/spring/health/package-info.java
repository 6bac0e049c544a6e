/**
 * The health of the nodes.
 */
@NullMarked
package dev.redlock.spring.health;

import org.jspecify.annotations.NullMarked;
