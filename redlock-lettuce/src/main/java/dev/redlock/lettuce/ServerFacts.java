package dev.redlock.lettuce;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * The facts about a server that decide whether it may vote, from its own INFO.
 *
 * @param runId the identity of the process
 * @param replicationId the identity of its data set among master and replicas; a promoted
 * replica takes a new one
 * @param role master, slave or sentinel
 * @param promoted whether the server was a replica of another one before
 * @param evictionPolicy what happens when memory runs out
 * @param appendOnly whether it writes, and at its start reads, an append-only file
 * @param durable whether every write reaches the disk before it is answered
 * @param replicas how many replicas are connected to it
 * @param cluster whether it is a member of a cluster
 * @param outdated whether it is older than Redis 7.0
 * @param evictedKeys how many keys it has evicted since it was started
 */
record ServerFacts(String runId, String replicationId, String role, boolean promoted, String evictionPolicy,
		boolean appendOnly, boolean durable, int replicas, boolean cluster, boolean outdated, long evictedKeys) {

	private static final String MASTER = "master";

	private static final String REPLICA = "slave";

	private static final Pattern BEFORE_7 = Pattern.compile("[0-6]\\..*");

	private static final String KEEP_EVERYTHING = "noeviction";

	/**
	 * The pattern for CONFIG GET.
	 */
	static final String FSYNC_SETTINGS = "*appendfsync*";

	/**
	 * Returns the name of one life of one server with one data set. Locks survive only
	 * within it. A promoted replica is the same process with the data of another server.
	 * Otherwise a new replication id says only that a replica was connected.
	 */
	String incarnation() {
		return this.promoted ? this.runId + "/" + this.replicationId : this.runId;
	}

	/**
	 * Returns the identity of each process; a cluster has several.
	 */
	List<String> runIds() {
		return List.of(this.runId.split("\\+"));
	}

	/**
	 * Whether this process has all locks of a former process with the same data. That
	 * depends on how the former one wrote them, not on this one.
	 * @param formerWasDurable whether every write of the former process was on disk
	 * before it was answered
	 */
	boolean keepsLocksOf(boolean formerWasDurable) {
		return formerWasDurable && !mayHaveOldData();
	}

	/**
	 * Whether it may have the marker of a former process but not its latest writes. A
	 * server without an append-only file starts from a snapshot, and a promoted replica
	 * lacks the writes that did not reach it.
	 */
	boolean mayHaveOldData() {
		return this.promoted || !this.appendOnly;
	}

	/**
	 * Whether the server deletes keys when its memory runs out.
	 */
	boolean mayEvict() {
		return !KEEP_EVERYTHING.equals(this.evictionPolicy);
	}

	/**
	 * Returns why locks on this server would not be safe, or null if they are.
	 */
	@Nullable String unfitBecause() {
		if (REPLICA.equals(this.role)) {
			return "It is a replica (role:" + this.role + "): it takes no locks, and when it is promoted it may not "
					+ "know those that its master granted last. Point the instance at a master that is independent "
					+ "of the other instances.";
		}
		if (!MASTER.equals(this.role)) {
			return "It is a " + this.role + ", not a master. Point the instance at a master, or use sentinel or "
					+ "cluster settings that find it.";
		}
		if (this.outdated) {
			return "It is older than Redis 7.0. Such a server writes the scripts of the lock to its append-only file, so "
					+ "that a restarted one looks like the former one. Upgrade it to Redis 7.0 or newer, or "
					+ "to Valkey.";
		}
		if (mayEvict()) {
			return "Its maxmemory-policy is " + this.evictionPolicy
					+ ", which may delete a lock that is held. Set it to noeviction.";
		}
		return null;
	}

	/**
	 * Returns the appendfsync setting, or null if it does not hold at all times.
	 * @param setting returns a setting by its name
	 */
	static @Nullable String appendFsync(Function<String, @Nullable String> setting) {
		// With the other value, no write is forced to disk while a snapshot is written.
		return "no".equals(setting.apply("no-appendfsync-on-rewrite")) ? setting.apply("appendfsync") : null;
	}

	/**
	 * Reads the answer of INFO.
	 * @param info the answer
	 * @param appendFsync the setting of that name, or null where it cannot be read
	 */
	static ServerFacts parse(String info, @Nullable String appendFsync) {
		Map<String, String> fields = fields(info);
		boolean durable = isAppendOnly(info) && "always".equals(appendFsync);
		String runId = fields.get("run_id");
		if (runId == null) {
			throw new IllegalStateException("INFO does not say the run_id of the server");
		}
		return new ServerFacts(runId, fields.getOrDefault("master_replid", ""),
				fields.getOrDefault("role", "server of unknown role"),
				!"-1".equals(fields.getOrDefault("second_repl_offset", "-1")),
				fields.getOrDefault("maxmemory_policy", KEEP_EVERYTHING), isAppendOnly(info), durable,
				Integer.parseInt(fields.getOrDefault("connected_slaves", "0")),
				"1".equals(fields.get("cluster_enabled")),
				BEFORE_7.matcher(fields.getOrDefault("redis_version", "")).matches(),
				Long.parseLong(fields.getOrDefault("evicted_keys", "0")));
	}

	/**
	 * Returns the time of the server in microseconds, or 0 if INFO does not include it.
	 */
	static long timeMicros(String info) {
		return Long.parseLong(fields(info).getOrDefault("server_time_usec", "0"));
	}

	static boolean isAppendOnly(String info) {
		return "1".equals(fields(info).get("aof_enabled"));
	}

	/**
	 * Combines the masters of a cluster into one server that is as fit as the worst of
	 * them.
	 */
	static ServerFacts combined(Collection<ServerFacts> servers) {
		return servers.stream()
			.sorted(Comparator.comparing(ServerFacts::runId))
			.reduce(ServerFacts::and)
			.orElseThrow(() -> new IllegalStateException("The cluster has no master"));
	}

	private ServerFacts and(ServerFacts other) {
		return new ServerFacts(this.runId + "+" + other.runId, this.replicationId + "+" + other.replicationId,
				MASTER.equals(this.role) ? other.role : this.role, this.promoted || other.promoted,
				KEEP_EVERYTHING.equals(this.evictionPolicy) ? other.evictionPolicy : this.evictionPolicy,
				this.appendOnly && other.appendOnly, this.durable && other.durable, this.replicas + other.replicas,
				this.cluster || other.cluster, this.outdated || other.outdated, this.evictedKeys + other.evictedKeys);
	}

	private static Map<String, String> fields(String info) {
		return info.lines()
			.map(String::strip)
			.filter((line) -> !line.startsWith("#") && line.indexOf(':') > 0)
			.collect(Collectors.toMap((line) -> line.substring(0, line.indexOf(':')),
					(line) -> line.substring(line.indexOf(':') + 1), (first, second) -> first, HashMap::new));
	}

}
