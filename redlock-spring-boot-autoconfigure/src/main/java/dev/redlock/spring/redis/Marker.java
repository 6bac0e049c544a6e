package dev.redlock.spring.redis;

import org.jspecify.annotations.Nullable;

/**
 * What tells one life of a server's data from another: a random id under a key without a
 * ttl. Whatever takes locks away all at once takes it away too.
 *
 * @param key the key, the same on every node of a deployment
 * @param id what the key holds; letters, digits and dashes only
 */
record Marker(String key, String id) {

	/**
	 * In braces, so that a cluster keeps all keys about a node together. Behind the
	 * prefix, so that a user who may use the locks' keys may use these too.
	 */
	private static final String NAME = "{redlock-node}";

	static String key(String prefix) {
		return prefix + NAME;
	}

	/**
	 * The key that tells since when which life of the server has been known.
	 */
	static String sinceKey(String prefix) {
		return prefix + NAME + ":since";
	}

	/**
	 * The key that tells which nodes clients use together with this one.
	 */
	static String clientsKey(String prefix) {
		return prefix + NAME + ":clients";
	}

	/**
	 * How a script begins that may only run where the data are what they were. It gives
	 * the script the number of its keys without that of the marker.
	 * @param marker the marker, which is the last key then; null if the server has none
	 */
	static String opening(@Nullable Marker marker) {
		if (marker == null) {
			return "local last = #KEYS\n";
		}
		return """
				if redis.call('GET', KEYS[#KEYS]) ~= '%s' then
				  return redis.error_reply('STALE its data is not what it was when it was checked')
				end
				local last = #KEYS - 1
				""".formatted(marker.id);
	}

}
