package dev.redlock.lettuce;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The facts about a server that decide whether it may vote, from its own INFO. A fact
 * that a server does not tell counts as bad.
 *
 * @param runId the identity of the process
 * @param replicationId the identity of its data set among master and replicas; a promoted
 * replica takes a new one
 * @param role master, slave or sentinel
 * @param promoted whether the server was a replica of another one before
 * @param evictionPolicy the policy when memory is full
 * @param appendOnly whether it writes, and at its start reads, an append-only file
 * @param durable whether every write reaches the disk before it is answered
 * @param replicas how many replicas are connected to it
 * @param cluster whether it is a member of a cluster
 * @param outdated whether it is older than Redis 7.0
 * @param evictedKeys how many keys it has evicted since it was started
 * @param untold what it does not tell
 */
record ServerFacts(String runId, String replicationId, String role, boolean promoted, String evictionPolicy,
		boolean appendOnly, boolean durable, int replicas, boolean cluster, boolean outdated, long evictedKeys,
		Set<Needed> untold) {

	private static final String MASTER = "master";

	private static final String REPLICA = "slave";

	private static final Pattern BEFORE_7 = Pattern.compile("[0-6]\\..*");

	private static final String KEEP_EVERYTHING = "noeviction";

	private static final String NO_PROXY = " Point the instance at the Redis or Valkey server itself: proxies and some "
			+ "managed services answer INFO themselves.";

	/**
	 * Answers with the run id that the server itself tells. A proxy may answer INFO, but
	 * scripts run on the server behind it.
	 */
	static final String RUN_ID_SCRIPT = """
			return {string.match(redis.call('INFO', 'server'), 'run_id:([%w_-]*)') or ''}
			""";

	/**
	 * The pattern for CONFIG GET.
	 */
	static final String FSYNC_SETTINGS = "*appendfsync*";

	/**
	 * Returns the name of one life of one server with one data set. Locks survive only
	 * within one life. A promoted replica is the same process with the data of another
	 * server. In other cases, a new replication id only means that a replica was
	 * connected.
	 */
	String incarnation() {
		return this.promoted ? this.runId + "/" + this.replicationId : this.runId;
	}

	/**
	 * Returns the identity of each process; a cluster has several.
	 */
	List<String> runIds() {
		return Arrays.stream(this.runId.split("\\+")).filter((id) -> !id.isEmpty()).toList();
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
	 * Whether it may have the marker of a former process, but lack the latest writes. A
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
			return "It is a replica (role:" + this.role + "): it takes no locks, and after a promotion it may lack "
					+ "the last locks of its master. Point the instance at a master that is independent "
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
		if (!this.untold.isEmpty()) {
			return "Its INFO does not tell " + this.untold.stream()
				.map((needed) -> needed.field + " (" + needed.tells + ")")
				.collect(Collectors.joining(", ")) + ": what a server does not tell counts as bad." + NO_PROXY;
		}
		if (mayEvict()) {
			return "Its maxmemory-policy is " + this.evictionPolicy
					+ ", which may delete a lock that is held. Set it to noeviction.";
		}
		return null;
	}

	/**
	 * Refuses servers that a node of this kind cannot use.
	 * @param sharded whether the node has cluster settings
	 * @param runIdInScripts the answer of {@link #RUN_ID_SCRIPT}
	 * @return these facts
	 */
	ServerFacts orRefuse(boolean sharded, String runIdInScripts) {
		if (this.cluster && !sharded) {
			throw new UnfitServerException("It is a member of a Redis Cluster: use cluster.nodes. As a "
					+ "single server it refuses each lock (CROSSSLOT or MOVED).");
		}
		if (unfitBecause() == null && !this.runId.equals(runIdInScripts)) {
			throw new UnfitServerException("Its INFO is that of a proxy: the run_id is " + this.runId
					+ ", and a script on the server reads " + runIdInScripts
					+ ". So a restart of the server, which forgets locks, would not show." + NO_PROXY);
		}
		return this;
	}

	/**
	 * Returns the appendfsync setting, or null if it does not apply at all times.
	 * @param setting returns a setting by its name
	 */
	static @Nullable String appendFsync(Function<String, @Nullable String> setting) {
		// With the other value, no write is forced to disk while a snapshot is written.
		return "no".equals(setting.apply("no-appendfsync-on-rewrite")) ? setting.apply("appendfsync") : null;
	}

	/**
	 * Reads the answer of INFO. Of two lines with one field, the first one counts.
	 */
	static Map<String, String> fields(String info) {
		return info.lines()
			.map(String::strip)
			.filter((line) -> !line.startsWith("#") && line.indexOf(':') > 0)
			.collect(Collectors.toMap((line) -> line.substring(0, line.indexOf(':')),
					(line) -> line.substring(line.indexOf(':') + 1), (first, second) -> first, HashMap::new));
	}

	/**
	 * Creates the facts.
	 * @param info the fields of INFO
	 * @param appendFsync the setting of that name, or null where it cannot be read
	 * @param declared whether the operator of the server declares that it keeps each
	 * write that it has answered. Each process with the data then has all of the data
	 */
	static ServerFacts of(Map<String, String> info, @Nullable String appendFsync, boolean declared) {
		boolean promoted = !"-1".equals(info.get(Needed.PROMOTION.field));
		// A replica may replace the server later, with fewer writes.
		boolean durable = isAppendOnly(info) && "always".equals(appendFsync) && number(info, Needed.REPLICAS) == 0;
		return new ServerFacts(info.getOrDefault(Needed.RUN_ID.field, ""),
				info.getOrDefault(Needed.REPLICATION_ID.field, ""), info.getOrDefault("role", "server of unknown role"),
				promoted && !declared, info.getOrDefault(Needed.POLICY.field, ""), isAppendOnly(info) || declared,
				durable || declared, (int) number(info, Needed.REPLICAS), number(info, Needed.CLUSTER) != 0,
				BEFORE_7.matcher(info.getOrDefault(Needed.VERSION.field, "")).matches(), number(info, Needed.EVICTIONS),
				Needed.untold(info));
	}

	/**
	 * Returns the time of the server in microseconds, or 0 if INFO does not include it.
	 */
	static long timeMicros(Map<String, String> info) {
		return number(info, Needed.TIME);
	}

	static boolean isAppendOnly(Map<String, String> info) {
		return "1".equals(info.get("aof_enabled"));
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
				this.cluster || other.cluster, this.outdated || other.outdated, this.evictedKeys + other.evictedKeys,
				Stream.of(this.untold, other.untold)
					.flatMap(Set::stream)
					.collect(Collectors.toCollection(TreeSet::new)));
	}

	private static long number(Map<String, String> fields, Needed needed) {
		return needed.isTold(fields) ? Long.parseLong(fields.getOrDefault(needed.field, "")) : 0;
	}

	/**
	 * A field of INFO without which a server may not vote.
	 */
	enum Needed {

		POLICY("maxmemory_policy", "[a-z-]+", "whether it may delete a lock that is held"),

		EVICTIONS("evicted_keys", "\\d{1,18}", "whether it has deleted any"),

		RUN_ID("run_id", "[\\w-]+", "whether it was restarted"),

		REPLICATION_ID("master_replid", "\\S+", "whose data it has"),

		PROMOTION("second_repl_offset", "-?\\d{1,18}", "whether it took the place of another server"),

		REPLICAS("connected_slaves", "\\d{1,9}", "whether another server may take its place"),

		VERSION("redis_version", "\\S+", "whether it is older than Redis 7.0"),

		CLUSTER("cluster_enabled", "[01]", "whether it is a member of a cluster"),

		TIME("server_time_usec", "\\d{1,18}", "whether its clock steps");

		private final String field;

		private final Pattern told;

		private final String tells;

		Needed(String field, String told, String tells) {
			this.field = field;
			this.told = Pattern.compile(told);
			this.tells = tells;
		}

		boolean isTold(Map<String, String> fields) {
			return this.told.matcher(fields.getOrDefault(this.field, "")).matches();
		}

		static Set<Needed> untold(Map<String, String> fields) {
			Set<Needed> untold = EnumSet.allOf(Needed.class);
			untold.removeIf((needed) -> needed.isTold(fields));
			return untold;
		}

	}

}
