/**
 * Redis servers, real or simulated, for tests of code that takes locks.
 * <p>
 * {@link EmbeddedRedlock} gives a test real Redis servers, {@link RedisNodes}, which the
 * test can kill, freeze, cut off and restart. {@link ScriptedRedlock} gives a test
 * simulated servers in memory. {@link WithoutLocks} grants every lock without any server.
 */
@NullMarked
package dev.redlock.test;

import org.jspecify.annotations.NullMarked;
