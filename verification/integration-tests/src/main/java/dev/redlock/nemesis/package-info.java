/**
 * A lock under real faults: several processes use it on a cluster that is made to fail,
 * write down what they believe, and a checker goes over what was written.
 */
@NullMarked
package dev.redlock.nemesis;

import org.jspecify.annotations.NullMarked;
