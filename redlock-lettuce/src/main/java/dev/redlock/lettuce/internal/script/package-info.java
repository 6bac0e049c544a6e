/**
 * The Lua scripts of the lock, and how they travel. {@code LockScript} has these scripts;
 * the Lua of a check is in {@code DataHistory}, {@code ServerFacts} and
 * {@code ServerCheck}. {@code ScriptCall} says what to run, {@code BoundScripts} binds
 * the scripts to one server process, {@code ScriptEncoder}, {@code ScriptArguments} and
 * {@code ScriptCommand} write the command, and {@code ScriptReply} reads the answer.
 * {@code CounterKeys}, {@code Marker} and {@code Channels} name keys and channels.
 * <p>
 * Other clients, also of other versions, read and write the same keys: a change of a key
 * or of its value is a change of the wire format.
 */
@NullMarked
package dev.redlock.lettuce.internal.script;

import org.jspecify.annotations.NullMarked;
