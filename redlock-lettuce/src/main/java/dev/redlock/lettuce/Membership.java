package dev.redlock.lettuce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Scheduler.Timeout;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the nodes of this client with those of other clients, through a key on each
 * node, and warns if they differ. Locks are not affected.
 * <p>
 * Each client renews its own list there, and a list that is not renewed expires. A
 * different list counts only if it is renewed after it was first seen. Otherwise its
 * client may have ended, and its nodes may have other markers now.
 */
final class Membership {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private static final int ROUNDS_KEPT = 3;

	private static final int FIRST_LOOKS_IN_PERIOD = 4;

	private final List<RedisLockNode> nodes;

	private final long maxTtlMillis;

	private final EventLoop loop;

	private final Duration period;

	/**
	 * The different lists of the last round with the time when each expires. They are
	 * kept by node, because each node has its own clock.
	 */
	private Map<String, Long> suspects = Map.of();

	/** Other threads may read this. */
	private volatile @Nullable String problem;

	private boolean closed;

	private Timeout next = Timeout.NONE;

	Membership(List<RedisLockNode> nodes, NodeSettings settings, EventLoop loop, Duration period) {
		this.nodes = List.copyOf(nodes);
		this.maxTtlMillis = settings.maxTtl().toMillis();
		this.loop = loop;
		this.period = period;
	}

	/**
	 * Starts. The first look comes soon, because a wrong list usually shows when an
	 * application starts.
	 */
	void start() {
		this.loop.run(() -> lookAfter(this.period.dividedBy(FIRST_LOOKS_IN_PERIOD)));
	}

	void close() {
		this.closed = true;
		this.next.cancel();
	}

	/**
	 * Returns how the nodes of another client differ from those of this one, or null.
	 */
	@Nullable String problem() {
		return this.problem;
	}

	private void lookAfter(Duration delay) {
		if (!this.closed) {
			this.next = this.loop.schedule(delay, this::look);
		}
	}

	private void look() {
		ask(NodeConnection::marker).thenCompose((markers) -> {
			NodeList own = ownList(markers);
			if (own == null) {
				return CompletableFuture.completedFuture(null);
			}
			Duration lasting = this.period.multipliedBy(ROUNDS_KEPT);
			return ask((connection) -> connection.exchange(own.text(), lasting))
				.thenAccept((lines) -> compare(own, lines));
		}).whenComplete((done, failure) -> {
			if (failure != null) {
				logger.debug("The lists of nodes could not be compared", failure);
			}
			lookAfter(this.period);
		});
	}

	/**
	 * Returns null until all nodes were reached and each has its own server.
	 */
	private @Nullable NodeList ownList(List<@Nullable String> markers) {
		SortedMap<String, String> names = new TreeMap<>();
		for (int i = 0; i < markers.size(); i++) {
			String marker = markers.get(i);
			if (marker == null || names.put(marker, this.nodes.get(i).name()) != null) {
				return null;
			}
		}
		return new NodeList(this.maxTtlMillis, names);
	}

	private void compare(NodeList own, List<@Nullable List<String>> linesByNode) {
		Map<String, Long> seen = new HashMap<>();
		String difference = null;
		for (int i = 0; i < linesByNode.size(); i++) {
			List<String> lines = linesByNode.get(i);
			for (String line : (lines != null) ? lines : List.<String>of()) {
				int space = line.indexOf(' ');
				NodeList other = NodeList.parse(line.substring(space + 1));
				if (!other.agreesWith(own)) {
					String suspect = i + " " + line.substring(space + 1);
					long lasting = Long.parseLong(line.substring(0, space));
					Long before = this.suspects.get(suspect);
					// The first time is kept, so that any later round can see a renewal.
					seen.put(suspect, (before != null) ? before : lasting);
					difference = (before != null && lasting > before) ? own.differenceFrom(other) : difference;
				}
			}
		}
		this.suspects = seen;
		report(difference, seen.isEmpty());
	}

	private void report(@Nullable String difference, boolean noneLeft) {
		if (difference != null && !difference.equals(this.problem)) {
			// The log comes first, so that a problem that can be seen was logged.
			logger.warn("{}", difference);
			this.problem = difference;
		}
		if (noneLeft && this.problem != null) {
			logger.info("All known clients use the same redlock nodes again");
			this.problem = null;
		}
	}

	/**
	 * Asks all nodes. The answer of a node that is not connected, or that fails, is null.
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
		return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).thenApply((done) -> {
			List<@Nullable T> answers = new ArrayList<>();
			asked.forEach((answer) -> answers.add(answer.join()));
			return answers;
		});
	}

}
