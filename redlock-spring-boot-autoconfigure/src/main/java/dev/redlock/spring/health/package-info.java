/**
 * What the health endpoint says about the nodes.
 */
@NullMarked
package dev.redlock.spring.health;

import org.jspecify.annotations.NullMarked;
