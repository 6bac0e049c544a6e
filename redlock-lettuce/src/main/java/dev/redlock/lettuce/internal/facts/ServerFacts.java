package dev.redlock.lettuce.internal.facts;

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
 * The facts about a server that decide whether the server may vote on locks, read from
 * its INFO. A server whose INFO lacks a needed fact is unfit for locks.
 *
 * @param replicationId the id of the data that master and replicas share; a promoted
 * replica takes a new id
 * @param promoted whether the server was a replica before; false if the operator declares
 * that the server keeps each acknowledged write
 * @param durable whether every write is on disk before the server acknowledges it and no
 * replica is connected, or the operator declares so
 * @param outdated whether the server is older than Redis 7.0
 */
public record ServerFacts(String runId, String replicationId, String role, boolean promoted, String evictionPolicy,
		boolean appendOnly, boolean durable, int replicas, boolean cluster, boolean outdated, long evictedKeys,
		Set<Needed> missing) {

	private static final String MASTER = "master";

	private static final String REPLICA = "slave";

	private static final Pattern BEFORE_7 = Pattern.compile("[0-6]\\..*");

	private static final String KEEP_EVERYTHING = "noeviction";

	private static final String NO_PROXY = " Set the address of the instance to the Redis or Valkey server itself, "
			+ "because proxies and some managed services answer INFO themselves.";

	/**
	 * Reads the run id in a script, because a proxy may answer INFO itself but passes
	 * scripts to Redis.
	 */
	public static final String RUN_ID_SCRIPT = """
			return {string.match(redis.call('INFO', 'server'), 'run_id:([%w_-]*)') or ''}
			""";

	public static final String FSYNC_SETTINGS = "*appendfsync*";

	/**
	 * Returns an id that changes when the server restarts or takes over another server's
	 * data. A promoted replica keeps its process but continues with the data of another
	 * server. For a server that was not promoted, a new replication id only means that a
	 * replica was connected.
	 */
	public String process() {
		return this.promoted ? this.runId + "/" + this.replicationId : this.runId;
	}

	List<String> runIds() {
		return Arrays.stream(this.runId.split("\\+")).filter((id) -> !id.isEmpty()).toList();
	}

	/**
	 * Whether the server process may have read all its data from its own append-only
	 * file: it has such a file now and was not promoted. A server without such a file
	 * starts from a snapshot, and a promoted replica lacks the writes that did not reach
	 * it, so both may lack the latest writes.
	 */
	public boolean readOwnFile() {
		return this.appendOnly && !this.promoted;
	}

	public boolean mayEvict() {
		return !KEEP_EVERYTHING.equals(this.evictionPolicy);
	}

	/**
	 * Returns why locks on this server would be unsafe, or null if they are safe.
	 * @param allowEviction whether the operator accepts that the server evicts keys
	 */
	public @Nullable String unfitBecause(boolean allowEviction) {
		if (REPLICA.equals(this.role)) {
			return "The server is a replica (role:" + this.role + "). A replica cannot vote, because after a "
					+ "promotion it may lack the last locks of its master. Set the address of the instance to a "
					+ "master that is independent of the other instances.";
		}
		if (!MASTER.equals(this.role)) {
			return "The server is a " + this.role + ", not a master. Set the address of the instance to a master, or "
					+ "use sentinel or cluster settings that find the master.";
		}
		if (this.outdated) {
			return "The server is older than Redis 7.0. Before 7.0, a restart of the server, which may lose "
					+ "locks, can stay unnoticed. Upgrade the server to Redis 7.0 or newer, or to Valkey.";
		}
		if (!this.missing.isEmpty()) {
			return "The answer of the server to INFO lacks "
					+ this.missing.stream()
						.map((needed) -> needed.field + " (" + needed.purpose + ")")
						.collect(Collectors.joining(", "))
					+ ". Without these fields, the server is not safe for locks." + NO_PROXY;
		}
		if (mayEvict() && !allowEviction) {
			return "The maxmemory-policy of the server is " + this.evictionPolicy
					+ ", which may delete a lock that is held. Set the policy to noeviction. If it does no harm that "
					+ "two processes hold one lock at the same time, set redlock.allow-eviction to true instead.";
		}
		return null;
	}

	/**
	 * Returns these facts, or throws an exception if the server does not fit the settings
	 * of the node.
	 */
	public ServerFacts orRefuse(boolean sharded, boolean allowEviction, String runIdInScripts) {
		if (this.cluster && !sharded) {
			throw new UnfitServerException("The server is a member of a Redis Cluster: use cluster.nodes. A member "
					+ "that is configured as a single server refuses each lock (CROSSSLOT or MOVED).");
		}
		if (unfitBecause(allowEviction) == null && !this.runId.equals(runIdInScripts)) {
			throw new UnfitServerException("A proxy answers INFO for the server: the run_id is " + this.runId
					+ ", and a script on the server reads " + runIdInScripts
					+ ". A restart of the server, which forgets locks, would stay unnoticed." + NO_PROXY);
		}
		return this;
	}

	public static @Nullable String appendFsync(Function<String, @Nullable String> setting) {
		// With no-appendfsync-on-rewrite, no write is forced to disk while a snapshot is
		// written.
		return "no".equals(setting.apply("no-appendfsync-on-rewrite")) ? setting.apply("appendfsync") : null;
	}

	public static Map<String, String> fields(String info) {
		return info.lines()
			.map(String::strip)
			.filter((line) -> !line.startsWith("#") && line.indexOf(':') > 0)
			.collect(Collectors.toMap((line) -> line.substring(0, line.indexOf(':')),
					(line) -> line.substring(line.indexOf(':') + 1), (first, second) -> first, HashMap::new));
	}

	/**
	 * @param declared whether the operator declares that the server keeps each
	 * acknowledged write
	 * @param allowEviction whether evictions do not matter, so that none is counted
	 */
	public static ServerFacts of(Map<String, String> info, @Nullable String appendFsync, boolean declared,
			boolean allowEviction) {
		boolean promoted = !"-1".equals(info.get(Needed.PROMOTION.field));
		// A connected replica may replace the server later, without the latest writes.
		boolean durable = isAppendOnly(info) && "always".equals(appendFsync) && number(info, Needed.REPLICAS) == 0;
		return new ServerFacts(info.getOrDefault(Needed.RUN_ID.field, ""),
				info.getOrDefault(Needed.REPLICATION_ID.field, ""), info.getOrDefault("role", "server of unknown role"),
				promoted && !declared, info.getOrDefault(Needed.POLICY.field, ""), isAppendOnly(info) || declared,
				durable || declared, (int) number(info, Needed.REPLICAS), number(info, Needed.CLUSTER) != 0,
				BEFORE_7.matcher(info.getOrDefault(Needed.VERSION.field, "")).matches(),
				allowEviction ? 0 : number(info, Needed.EVICTIONS), Needed.missingFrom(info));
	}

	public static long timeMicros(Map<String, String> info) {
		return number(info, Needed.TIME);
	}

	public static boolean isAppendOnly(Map<String, String> info) {
		return "1".equals(info.get("aof_enabled"));
	}

	/**
	 * Combines the facts about all masters of a cluster: ids are joined, numbers are
	 * added, and each other fact is the worst fact of any master.
	 */
	public static ServerFacts combined(Collection<ServerFacts> servers) {
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
				Stream.of(this.missing, other.missing)
					.flatMap(Set::stream)
					.collect(Collectors.toCollection(TreeSet::new)));
	}

	private static long number(Map<String, String> fields, Needed needed) {
		return needed.isIn(fields) ? Long.parseLong(fields.getOrDefault(needed.field, "")) : 0;
	}

	/**
	 * The fields of INFO without which a server may not vote on locks.
	 */
	enum Needed {

		POLICY("maxmemory_policy", "[a-z-]+", "whether the server may delete a lock that is held"),

		EVICTIONS("evicted_keys", "\\d{1,18}", "whether the server has deleted keys"),

		RUN_ID("run_id", "[\\w-]+", "whether the server was restarted"),

		REPLICATION_ID("master_replid", "\\S+", "whose data the server has"),

		PROMOTION("second_repl_offset", "-?\\d{1,18}", "whether the server took the place of another server"),

		REPLICAS("connected_slaves", "\\d{1,9}", "whether another server may take its place"),

		VERSION("redis_version", "\\S+", "whether the server is older than Redis 7.0"),

		CLUSTER("cluster_enabled", "[01]", "whether the server is a member of a cluster"),

		TIME("server_time_usec", "\\d{1,18}", "whether the clock of the server steps");

		private final String field;

		private final Pattern format;

		private final String purpose;

		Needed(String field, String format, String purpose) {
			this.field = field;
			this.format = Pattern.compile(format);
			this.purpose = purpose;
		}

		boolean isIn(Map<String, String> fields) {
			return this.format.matcher(fields.getOrDefault(this.field, "")).matches();
		}

		static Set<Needed> missingFrom(Map<String, String> fields) {
			Set<Needed> missing = EnumSet.allOf(Needed.class);
			missing.removeIf((needed) -> needed.isIn(fields));
			return missing;
		}

	}

}
