package dev.redlock.sample.demo;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

import dev.redlock.spi.NodeStatus.State;

/**
 * The nodes as voters. A lock needs the votes of a majority of all nodes, not of those
 * that are reachable.
 *
 * @param nodes all nodes
 */
record Electorate(List<NodeView> nodes) {

	int size() {
		return this.nodes.size();
	}

	int majority() {
		return size() / 2 + 1;
	}

	int voters() {
		return (int) this.nodes.stream().filter((node) -> node.state() == State.READY).count();
	}

	boolean hasMajority() {
		return voters() >= majority();
	}

	/**
	 * Returns the names of the nodes that do not vote.
	 */
	List<String> missing() {
		return this.nodes.stream().filter((node) -> node.state() != State.READY).map(NodeView::name).toList();
	}

	/**
	 * Returns the time until nodes in quarantine make up a majority with those that vote
	 * already, if they do.
	 */
	Optional<Duration> untilMajority() {
		return this.nodes.stream()
			.filter((node) -> node.state() == State.QUARANTINED)
			.flatMap((node) -> Stream.ofNullable(node.remainingMillis()))
			.sorted()
			.skip(Math.max(0, majority() - voters() - 1L))
			.findFirst()
			.map(Duration::ofMillis);
	}

	@Override
	public String toString() {
		return String.format(Locale.ROOT, "%d of %d nodes vote", voters(), size());
	}

}
