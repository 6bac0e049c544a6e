package dev.redlock.lettuce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.redlock.QuorumStatus;
import dev.redlock.lettuce.internal.connection.NodeConnection;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.lettuce.internal.script.Marker;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Scheduler.Timeout;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.core.script.DigestUtils;

/**
 * Compares the settings of this client with the settings of other clients, and warns if
 * they differ. Clients exchange their settings through a key on each Redis node.
 * <p>
 * The compared settings are the largest ttl and the list of nodes, identified by a hash
 * of their {@link Marker} ids. Clients with the same settings share one line of the key,
 * which expires unless a client renews it.
 */
final class SettingsComparison {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private static final int PERIODS_KEPT = 2;

	private static final int RETRIES_PER_PERIOD = 6;

	private static final int FINGERPRINT = 12;

	private static final Pattern LINE = Pattern.compile("(\\d{1,15}) (\\S+) (\\d{1,4}) (\\d{1,15}) (\\S+)");

	private final List<RedisLockNode> nodes;

	private final String settings;

	private final long maxTtlMillis;

	private final EventLoop loop;

	private final Duration period;

	private final String owner;

	private final long startNanos = System.nanoTime();

	private volatile @Nullable Difference difference;

	private @Nullable String logged;

	private boolean closed;

	private Timeout next = Timeout.NONE;

	SettingsComparison(List<RedisLockNode> nodes, String owner, NodeSettings settings, EventLoop loop,
			Duration period) {
		this.nodes = List.copyOf(nodes);
		this.maxTtlMillis = settings.maxTtl().toMillis();
		this.owner = owner.isBlank() ? "unnamed" : owner.replaceAll("\\s", "_");
		this.settings = " " + nodes.size() + " " + this.maxTtlMillis + " " + this.owner;
		this.loop = loop;
		this.period = period;
	}

	void close() {
		this.closed = true;
		this.next.cancel();
	}

	/**
	 * Returns how the settings of another client differ from those of this client, or
	 * null if no difference is known.
	 */
	@Nullable String problem() {
		Difference known = this.difference;
		return (known != null) ? describe(known.other(), known.other().ageMillis() + millisSince(known.seenNanos()))
				: null;
	}

	/**
	 * Compares this client's settings with those of other clients now, and regularly
	 * until this object is closed. The comparison waits while a node is not connected.
	 */
	void compareRepeatedly() {
		if (this.closed) {
			return;
		}
		ask(NodeConnection::marker).thenCompose((markers) -> {
			Set<@Nullable String> distinct = new TreeSet<>(markers.stream().filter(Objects::nonNull).toList());
			if (distinct.size() < markers.size()) {
				return CompletableFuture.completedFuture(this.period.dividedBy(RETRIES_PER_PERIOD));
			}
			String fingerprint = DigestUtils.sha1DigestAsHex(this.maxTtlMillis + " " + distinct)
				.substring(0, FINGERPRINT);
			return ask((connection) -> connection.exchange(fingerprint, this.settings,
					this.period.multipliedBy(PERIODS_KEPT)))
				.thenApply((answers) -> {
					compare(answers);
					return this.period;
				});
		}).whenComplete((pause, failure) -> {
			if (failure != null) {
				logger.debug("The settings of clients could not be compared", failure);
			}
			if (!this.closed) {
				this.next = this.loop.schedule((failure == null) ? pause : this.period, this::compareRepeatedly);
			}
		});
	}

	private void compare(List<@Nullable List<String>> answers) {
		Map<String, Other> others = new LinkedHashMap<>();
		long knownMillis = Long.MAX_VALUE;
		for (List<String> answer : answers) {
			if (answer == null) {
				return;
			}
			knownMillis = Math.min(knownMillis, Long.parseLong(answer.get(0)));
			answer.stream().skip(1).map(LINE::matcher).filter(Matcher::matches).forEach((line) -> {
				Other other = new Other(Long.parseLong(line.group(1)), 1, Integer.parseInt(line.group(3)),
						Long.parseLong(line.group(4)), line.group(5));
				others.merge(line.group(2), other, Other::and);
			});
		}
		others.values().removeIf(this::isOwnFormerRun);
		for (Map.Entry<String, Other> entry : others.entrySet()) {
			Other other = entry.getValue();
			boolean sameSize = other.nodes() == this.nodes.size() && other.maxTtlMillis() == this.maxTtlMillis;
			// After a node loses its data, this client's own former settings look like
			// those of another client.
			if (!sameSize || other.ageMillis() < knownMillis) {
				report(entry.getKey(), other);
				return;
			}
		}
		if (others.isEmpty()) {
			report(null, null);
		}
	}

	/**
	 * Whether this process, before its last start, was the last to store the settings. A
	 * running process with the same label stores its settings again within a period.
	 */
	private boolean isOwnFormerRun(Other other) {
		return other.owner().equals(this.owner) && other.ageMillis() > millisSince(this.startNanos);
	}

	private static long millisSince(long nanos) {
		return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
	}

	private String describe(Other other, long ageMillis) {
		int own = this.nodes.size();
		boolean otherNodes = other.nodes() != own || other.common() != own;
		int union = own + other.nodes() - other.common();
		boolean safe = QuorumStatus.majorityOf(own) + QuorumStatus.majorityOf(other.nodes()) > union;
		return "Another client has other settings: '" + other.owner() + "', last seen " + ageMillis / 1000
				+ " s ago, uses " + other.nodes() + " nodes and a max-ttl of " + other.maxTtlMillis()
				+ " ms. This client uses " + own + " nodes, of which " + other.common()
				+ " are the same, and a max-ttl of " + this.maxTtlMillis + " ms."
				+ (otherNodes
						? safe ? " Locks are safe while one node is added or removed at a time."
								: " Both clients may hold the same lock. Give all clients the same redlock.instances."
						: "")
				+ ((other.maxTtlMillis() != this.maxTtlMillis)
						? " A lock longer than the smaller max-ttl is not safe if a node forgets the lock. Give all "
								+ "clients the same redlock.max-ttl."
						: "")
				+ ((ageMillis > this.period.toMillis()) ? " The other client may have ended." : "");
	}

	private void report(@Nullable String fingerprint, @Nullable Other other) {
		if (other != null && !Objects.equals(fingerprint, this.logged)) {
			// A difference of settings is logged before other threads can read it.
			logger.warn("{}", describe(other, other.ageMillis()));
		}
		else if (other == null && this.difference != null) {
			logger.info("All known clients use the same redlock nodes again");
		}
		this.logged = fingerprint;
		this.difference = (other != null) ? new Difference(other, System.nanoTime()) : null;
	}

	/**
	 * Asks all nodes; the answer of a node that is not connected or fails is null.
	 */
	private <T> CompletableFuture<List<@Nullable T>> ask(
			Function<NodeConnection, CompletableFuture<@Nullable T>> question) {
		List<CompletableFuture<@Nullable T>> asked = new ArrayList<>();
		for (RedisLockNode node : this.nodes) {
			NodeConnection connection = node.state().connection();
			CompletableFuture<@Nullable T> answer = (connection != null) ? question.apply(connection)
					: CompletableFuture.completedFuture(null);
			asked.add(answer.exceptionally((ex) -> null));
		}
		return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
			.thenApply((done) -> asked.stream().<@Nullable T>map(CompletableFuture::join).toList());
	}

	/**
	 * A difference from other clients, and when this client found it.
	 */
	private record Difference(Other other, long seenNanos) {

	}

	/**
	 * The settings that some other clients have in common.
	 *
	 * @param ageMillis the milliseconds since one of these clients last stored its
	 * settings on a node
	 * @param common the number of nodes that this client also uses
	 */
	private record Other(long ageMillis, int common, int nodes, long maxTtlMillis, String owner) {

		Other and(Other other) {
			Other latest = (other.ageMillis < this.ageMillis) ? other : this;
			return new Other(latest.ageMillis, this.common + other.common, latest.nodes, latest.maxTtlMillis,
					latest.owner);
		}

	}

}
