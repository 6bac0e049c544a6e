/**
 * The Lua scripts, and how they travel. {@code LockScript} has the scripts of the lock.
 * {@code ScriptCall} says what to run, {@code BoundScripts} binds the scripts to one
 * server process, {@code ScriptEncoder}, {@code ScriptArguments} and
 * {@code ScriptCommand} write the command, and {@code ScriptReply} reads the answer.
 * {@code CounterKeys}, {@code Marker} and {@code Channels} name keys and channels.
 * <p>
 * Other clients, also of other versions, read and write the same keys: a change of a key
 * or of its value is a change of the wire format.
 */
@NullMarked
package dev.redlock.lettuce.internal.script;

import org.jspecify.annotations.NullMarked;
