package dev.redlock.lettuce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
 * Each client renews its own list there, and a list that is not renewed expires. Until
 * then, a client that has ended counts too. A list that is older than the data of a node
 * may have the former marker of that node. So it counts only if it differs in another
 * way.
 */
final class Membership {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private static final int PERIODS_KEPT = 2;

	/** How many looks there are in a period while a node is not connected. */
	private static final int LOOKS_WITH_GAPS = 6;

	private final List<RedisLockNode> nodes;

	private final long maxTtlMillis;

	private final EventLoop loop;

	private final Duration period;

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

	/**
	 * Compares the lists now, and again and again until this is closed.
	 */
	void look() {
		if (this.closed) {
			return;
		}
		ask(NodeConnection::marker).thenCompose((markers) -> {
			NodeList own = ownList(markers);
			Duration lasting = this.period.multipliedBy(PERIODS_KEPT);
			return ask((connection) -> connection.exchange(own.text(), lasting)).thenApply((answers) -> {
				compare(own, markers, answers);
				return own.isComplete() ? this.period : this.period.dividedBy(LOOKS_WITH_GAPS);
			});
		}).whenComplete((pause, failure) -> {
			if (failure != null) {
				logger.debug("The lists of nodes could not be compared", failure);
			}
			if (!this.closed) {
				this.next = this.loop.schedule((failure == null) ? pause : this.period, this::look);
			}
		});
	}

	private NodeList ownList(List<@Nullable String> markers) {
		SortedMap<String, String> names = new TreeMap<>();
		for (int i = 0; i < markers.size(); i++) {
			String name = this.nodes.get(i).name();
			String marker = markers.get(i);
			// Two nodes with one marker have the same server, or a copy of its data.
			boolean known = marker != null && !names.containsKey(marker);
			names.put(known ? marker : NodeList.UNKNOWN + name, name);
		}
		return new NodeList(this.maxTtlMillis, names);
	}

	private void compare(NodeList own, List<@Nullable String> markers, List<@Nullable List<String>> answers) {
		String difference = null;
		boolean allAgree = true;
		for (List<String> answer : answers) {
			allAgree &= answer != null;
			for (String line : (answer != null) ? answer.subList(1, answer.size()) : List.<String>of()) {
				int space = line.indexOf(' ');
				NodeList other = NodeList.parse(line.substring(space + 1));
				if (!own.agreesWith(other)) {
					allAgree = false;
					boolean certain = !ownList(knownFor(Long.parseLong(line.substring(0, space)), markers, answers))
						.agreesWith(other);
					difference = certain ? own.differenceFrom(other) : difference;
				}
			}
		}
		if (difference != null || allAgree) {
			report(difference);
		}
	}

	/**
	 * Returns the markers of the nodes whose data have been known for longer than some
	 * time. Before that, a node may have had another marker.
	 */
	private static List<@Nullable String> knownFor(long millis, List<@Nullable String> markers,
			List<@Nullable List<String>> answers) {
		List<@Nullable String> known = new ArrayList<>();
		for (int i = 0; i < markers.size(); i++) {
			List<String> answer = answers.get(i);
			known.add((answer != null && Long.parseLong(answer.get(0)) > millis) ? markers.get(i) : null);
		}
		return known;
	}

	private void report(@Nullable String difference) {
		if (difference != null && !difference.equals(this.problem)) {
			// The log comes first, so that a problem that can be seen was logged.
			logger.warn("{}", difference);
		}
		else if (difference == null && this.problem != null) {
			logger.info("All known clients use the same redlock nodes again");
		}
		this.problem = difference;
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
		return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
			.thenApply((done) -> asked.stream().<@Nullable T>map(CompletableFuture::join).toList());
	}

}
