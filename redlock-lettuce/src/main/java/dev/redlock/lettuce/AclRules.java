package dev.redlock.lettuce;

/**
 * The rights (Redis ACL) that the Redis user of the lock needs on a server.
 */
final class AclRules {

	private AclRules() {
	}

	/**
	 * Returns the rules that {@code ACL SETUSER} needs for the Redis user of the lock.
	 * @param prefix the text at the beginning of every Redis key of the lock
	 * @param sharded whether the Redis servers are members of a Redis Cluster
	 */
	static String of(String prefix, boolean sharded) {
		String announcements = sharded
				? "+pubsub|shardnumsub +spublish +ssubscribe +sunsubscribe +cluster|nodes +client|list"
				: "+pubsub|numsub +publish +subscribe +unsubscribe";
		return "+info +time +script|load +eval +evalsha +get +set +del +pttl +pexpire ~%1$s* ~{%1$s*}:fence ~{*}:fence:%1$s* +client|id +client|kill %2$s &%1$s*"
			.formatted(prefix.replaceAll("[\\\\*?\\[\\]]", "\\\\$0"), announcements);
	}

}
