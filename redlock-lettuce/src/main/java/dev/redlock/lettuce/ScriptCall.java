package dev.redlock.lettuce;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * One call of a script, the same for all nodes that are asked.
 *
 * @param script the script
 * @param keys the lock keys, at least one
 * @param token the token, empty if the script needs none
 * @param millis the ttl, or how long a release keeps the keys
 * @param number the fence, the tick, or whether to announce, depending on the script
 */
record ScriptCall(LockScript script, List<String> keys, String token, long millis, long number) {

	/**
	 * Returns all keys that the script takes.
	 * @param markerKey the key of the marker, if the script takes this key
	 */
	List<String> allKeys(@Nullable String markerKey) {
		if (this.script == LockScript.TICK) {
			return List.of(this.keys.get(0), CounterKeys.ofTick(this.keys.get(0)));
		}
		return this.script.bound() ? CounterKeys.pairs(this.keys, markerKey) : this.keys;
	}

	/**
	 * The text names the script and the keys, never the token.
	 */
	@Override
	public String toString() {
		return "ScriptCall[" + this.script + " " + this.keys + "]";
	}

}
