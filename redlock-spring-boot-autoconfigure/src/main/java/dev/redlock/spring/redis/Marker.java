package dev.redlock.spring.redis;

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

}
