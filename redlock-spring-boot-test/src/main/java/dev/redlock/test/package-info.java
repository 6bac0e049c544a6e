/**
 * Redis servers, real or simulated, for tests of code that takes locks.
 * <p>
 * {@link EmbeddedRedlock} gives a test real Redis servers, {@link RedisNodes}, which it
 * can kill, freeze, cut off and restart. {@link ScriptedRedlock} gives a test nodes in
 * memory, and {@link WithoutLocks} grants every lock without any node.
 */
@NullMarked
package dev.redlock.test;

import org.jspecify.annotations.NullMarked;
