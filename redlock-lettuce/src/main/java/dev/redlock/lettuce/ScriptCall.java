package dev.redlock.lettuce;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * One call of a script, with the same keys and arguments for all nodes.
 * 
 * @param script the script to call
 * @param keys the lock keys, at least one
 * @param token the token of the lock, empty if the script needs no token
 * @param millis the ttl in milliseconds; for a release, how many milliseconds the
 * released keys are kept
 * @param number depending on the script: the fence, the tick, or whether to announce the
 * release
 */
record ScriptCall(LockScript script, List<String> keys, String token, long millis, long number) {

	/**
	 * Returns all Redis keys that the script takes.
	 * @param markerKey the key of the marker, or null if the script does not take this
	 * key
	 */
	List<String> allKeys(@Nullable String markerKey) {
		if (this.script == LockScript.TICK) {
			return List.of(this.keys.get(0), CounterKeys.ofTick(this.keys.get(0)));
		}
		return this.script.bound() ? CounterKeys.pairs(this.keys, markerKey) : this.keys;
	}

	/**
	 * The text contains the name of the script and the lock keys, never the token.
	 */
	@Override
	public String toString() {
		return "ScriptCall[" + this.script + " " + this.keys + "]";
	}

}
