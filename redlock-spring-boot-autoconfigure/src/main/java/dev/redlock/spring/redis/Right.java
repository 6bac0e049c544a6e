package dev.redlock.spring.redis;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What a user of Redis needs to be allowed, and what becomes of the lock without.
 */
enum Right {

	INFO(Need.LOCKS, "info"), TIME(Need.LOCKS, "time"), SCRIPT_LOAD(Need.LOCKS, "script|load"),
	EVAL(Need.LOCKS, "eval"), EVALSHA(Need.LOCKS, "evalsha"), GET(Need.LOCKS, "get"), SET(Need.LOCKS, "set"),
	DEL(Need.LOCKS, "del"), PTTL(Need.LOCKS, "pttl"), PEXPIRE(Need.LOCKS, "pexpire"),

	LOCK_KEYS(Need.LOCKS, "~%s*"), COUNTER_KEYS(Need.LOCKS, "~{%s*}:fence"),

	/**
	 * The counters of names with braces, see {@link CounterKeys}.
	 */
	TAGGED_COUNTER_KEYS(Need.BRACES, "~{*}:fence:%s*"),

	CLIENT_ID(Need.FINAL_RELEASES, "client|id"), CLIENT_KILL(Need.FINAL_RELEASES, "client|kill"),

	NUMSUB(Need.ANNOUNCEMENTS, "pubsub|numsub", "pubsub|shardnumsub"),
	PUBLISH(Need.ANNOUNCEMENTS, "publish", "spublish"), SUBSCRIBE(Need.ANNOUNCEMENTS, "subscribe", "ssubscribe"),
	UNSUBSCRIBE(Need.ANNOUNCEMENTS, "unsubscribe", "sunsubscribe"), CHANNELS(Need.ANNOUNCEMENTS, "&%s*"),

	CONFIG_GET(Need.DURABILITY, "config|get");

	private final Need need;

	private final String name;

	private final String shardedName;

	Right(Need need, String name) {
		this(need, name, name);
	}

	Right(Need need, String name, String shardedName) {
		this.need = need;
		this.name = name;
		this.shardedName = shardedName;
	}

	/**
	 * All that a user needs on a server that is not durable, as ACL SETUSER takes it.
	 */
	static String rules(String prefix) {
		return Arrays.stream(values())
			.filter((right) -> right.need != Need.DURABILITY)
			.map((right) -> right.rule(prefix, false))
			.collect(Collectors.joining(" "));
	}

	Need need() {
		return this.need;
	}

	/**
	 * Whether this is about commands, and not about keys or channels.
	 */
	boolean isCommand() {
		return Character.isLetter(this.name.charAt(0));
	}

	/**
	 * The rule that gives the right.
	 * @param prefix what all keys begin with
	 * @param sharded whether the server is one of a cluster
	 */
	String rule(String prefix, boolean sharded) {
		return isCommand() ? "+" + (sharded ? this.shardedName : this.name)
				: this.name.formatted(prefix.replaceAll("[\\\\*?\\[\\]]", "\\\\$0"));
	}

	/**
	 * The command as one calls it.
	 */
	String command(boolean sharded) {
		return (sharded ? this.shardedName : this.name).toUpperCase(Locale.ROOT).replace('|', ' ');
	}

	/**
	 * What a right is good for.
	 */
	enum Need {

		/**
		 * Without it there are no locks.
		 */
		LOCKS(""),

		/**
		 * Not needed by all who lock.
		 */
		BRACES("Names with braces cannot be locked on it"),

		FINAL_RELEASES("Locks are safe without; but what a broken connection still carried may take effect late, "
				+ "so that a lock which was released stays for the rest of its ttl"),

		ANNOUNCEMENTS("Locks are safe without; but who waits for one may not be told of its release, and asks again "
				+ "and again instead"),

		DURABILITY("Locks are safe without; but it is taken for a server that may forget locks when it is restarted");

		private final String without;

		Need(String without) {
			this.without = without;
		}

		/**
		 * What a user who lacks it has to live with.
		 */
		String without() {
			return this.without;
		}

	}

}
