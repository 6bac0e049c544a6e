package dev.redlock.lettuce;

/**
 * The rights that the Redis user of a node needs.
 */
final class AclRules {

	private AclRules() {
	}

	/**
	 * Returns the rules in the form of ACL SETUSER.
	 * @param prefix the beginning of all keys
	 * @param sharded whether the servers belong to a Redis Cluster
	 */
	static String of(String prefix, boolean sharded) {
		String announcements = sharded
				? "+pubsub|shardnumsub +spublish +ssubscribe +sunsubscribe +cluster|nodes +client|list"
				: "+pubsub|numsub +publish +subscribe +unsubscribe";
		return "+info +time +script|load +eval +evalsha +get +set +del +pttl +pexpire ~%1$s* ~{%1$s*}:fence ~{*}:fence:%1$s* +client|id +client|kill %2$s &%1$s*"
			.formatted(prefix.replaceAll("[\\\\*?\\[\\]]", "\\\\$0"), announcements);
	}

}
