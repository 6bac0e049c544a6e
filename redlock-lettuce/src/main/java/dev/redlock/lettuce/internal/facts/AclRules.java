package dev.redlock.lettuce.internal.facts;

/**
 * The ACL rules that the Redis user of a lock client needs on a server.
 */
public final class AclRules {

	private AclRules() {
	}

	public static String of(String keyPrefix, boolean cluster) {
		String announcements = cluster
				? "+pubsub|shardnumsub +spublish +ssubscribe +sunsubscribe +cluster|nodes +client|list"
				: "+pubsub|numsub +publish +subscribe +unsubscribe";
		return "+info +time +script|load +eval +evalsha +get +set +del +pttl +pexpire ~%1$s* ~{%1$s*}:fence ~{*}:fence:%1$s* +client|id +client|kill +client|reply %2$s &%1$s*"
			.formatted(keyPrefix.replaceAll("[\\\\*?\\[\\]]", "\\\\$0"), announcements);
	}

}
