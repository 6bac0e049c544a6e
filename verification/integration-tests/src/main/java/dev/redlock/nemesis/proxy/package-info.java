/**
 * A network between clients and servers on this machine that can be made to fail.
 */
@NullMarked
package dev.redlock.nemesis.proxy;

import org.jspecify.annotations.NullMarked;
