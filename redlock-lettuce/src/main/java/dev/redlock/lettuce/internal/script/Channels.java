package dev.redlock.lettuce.internal.script;

/**
 * The Pub/Sub channels on which a node announces releases. Redis announces to clients of
 * all databases, so the name of a channel contains the database, unless it is database 0.
 *
 * @param sharded whether the node is a Redis Cluster, which has sharded channels and only
 * database 0
 */
public record Channels(boolean sharded, int database) {

	public static final Channels PLAIN = new Channels(false, 0);

	public static final Channels SHARDED = new Channels(true, 0);

	/**
	 * Returns the channel of a lock key.
	 */
	public String of(String key) {
		return key + suffix();
	}

	/**
	 * Returns the lock key of a channel to which this client has subscribed.
	 */
	public String key(String channel) {
		return channel.substring(0, channel.length() - suffix().length());
	}

	/**
	 * Returns the text of a script that announces on these channels.
	 */
	public String announcing(String script) {
		String text = script.replace("$DATABASE", suffix());
		return this.sharded ? text.replace("'NUMSUB'", "'SHARDNUMSUB'").replace("'PUBLISH'", "'SPUBLISH'") : text;
	}

	private String suffix() {
		return (this.database > 0) ? "~db" + this.database : "";
	}

}
