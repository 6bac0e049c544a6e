package dev.redlock.lettuce;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * The rights that the Redis user of a node needs.
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

	/**
	 * The rights without which a release is not announced. The others that announcements
	 * need are those of the clients that wait.
	 */
	static final Set<Right> TO_ANNOUNCE = EnumSet.of(NUMSUB, PUBLISH, CHANNELS);

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

	Need need() {
		return this.need;
	}

	/**
	 * Whether this right is about a command, not about keys or channels.
	 */
	boolean isCommand() {
		return Character.isLetter(this.name.charAt(0));
	}

	/**
	 * Returns the ACL rule that gives the right.
	 * @param prefix what all keys begin with
	 * @param sharded whether the server is one of a cluster
	 */
	String rule(String prefix, boolean sharded) {
		return isCommand() ? "+" + (sharded ? this.shardedName : this.name)
				: this.name.formatted(prefix.replaceAll("[\\\\*?\\[\\]]", "\\\\$0"));
	}

	/**
	 * Returns the command as a client writes it.
	 */
	String command(boolean sharded) {
		return (sharded ? this.shardedName : this.name).toUpperCase(Locale.ROOT).replace('|', ' ');
	}

	/**
	 * The feature of the lock that needs a right.
	 */
	enum Need {

		/**
		 * All locks.
		 */
		LOCKS(""),

		/**
		 * Locks whose names contain braces.
		 */
		BRACES("Names with braces cannot be locked on it"),

		FINAL_RELEASES("Locks stay safe, but commands that a broken connection still carried may take effect late, "
				+ "and a released lock may then stay for the rest of its ttl"),

		ANNOUNCEMENTS("Locks stay safe, but requests that wait for one may not hear of its release, and poll instead"),

		DURABILITY("Locks stay safe, but it counts as a server that may forget locks when it restarts");

		private final String without;

		Need(String without) {
			this.without = without;
		}

		/**
		 * Returns what happens without it.
		 */
		String without() {
			return this.without;
		}

	}

}
