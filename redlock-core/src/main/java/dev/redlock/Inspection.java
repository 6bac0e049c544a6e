package dev.redlock;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Vote.Refused;
import org.jspecify.annotations.Nullable;

/**
 * The answers of the nodes about one resource, for people and dashboards. The answers may
 * be outdated when they are read, so code must not base decisions on them.
 *
 * @param nodes the answer of each node: granted if the resource is free on the node,
 * refused if an owner holds it
 */
public record Inspection(String resource, List<NodeVote> nodes) {

	public Inspection {
		nodes = List.copyOf(nodes);
	}

	/**
	 * Returns what a majority of the nodes answered about the resource.
	 */
	public Verdict verdict() {
		int majority = majority();
		int most = Vote.heldByOne(votes());
		if (most >= majority) {
			return Verdict.HELD;
		}
		// The nodes on which the resource is not free are too few for any owner to have a
		// majority.
		if (count(Granted.class) > this.nodes.size() - majority) {
			return Verdict.FREE;
		}
		// The owner that holds the resource on most nodes may also hold it on the nodes
		// that could not answer.
		return (most + faulted() < majority) ? Verdict.SPLIT : Verdict.UNKNOWN;
	}

	/**
	 * Returns the label of the owner that has a majority. If no owner has a majority,
	 * returns the first label that a node reported.
	 */
	public Optional<String> holder() {
		boolean held = verdict() == Verdict.HELD;
		return refusals().stream()
			.filter((refused) -> !held || hasMajority(refused))
			.flatMap((refused) -> Stream.ofNullable(refused.holder()))
			.filter((label) -> !label.isEmpty())
			.findFirst();
	}

	/**
	 * Returns how long one owner will still have a majority without an extension; empty
	 * if no owner has a majority.
	 */
	public Optional<Duration> remaining() {
		if (verdict() != Verdict.HELD) {
			return Optional.empty();
		}
		return refusals().stream()
			.filter(this::hasMajority)
			.map((refused) -> Optional.ofNullable(refused.remaining()).orElse(Duration.ZERO))
			.sorted(Comparator.reverseOrder())
			.skip(majority() - 1L)
			.findFirst();
	}

	/**
	 * Returns the number of nodes that could not answer.
	 */
	public int faulted() {
		return this.nodes.size() - count(Granted.class) - count(Refused.class);
	}

	private int count(Class<? extends Vote> kind) {
		return (int) this.nodes.stream().filter((node) -> kind.isInstance(node.vote())).count();
	}

	private boolean hasMajority(Refused refused) {
		return Vote.heldBy(votes(), refused.ownerHash()) >= majority();
	}

	private int majority() {
		return QuorumStatus.majorityOf(this.nodes.size());
	}

	private List<@Nullable Vote> votes() {
		return this.nodes.stream().<@Nullable Vote>map(NodeVote::vote).toList();
	}

	private List<Refused> refusals() {
		return votes().stream().filter(Refused.class::isInstance).map(Refused.class::cast).toList();
	}

	/**
	 * The answer of a majority of the nodes about a resource.
	 */
	public enum Verdict {

		/**
		 * The resource is free on so many nodes that no owner can have a majority.
		 */
		FREE,

		/**
		 * One owner holds the resource on a majority of the nodes.
		 */
		HELD,

		/**
		 * Several owners hold the resource on some nodes each, and no owner holds it on a
		 * majority.
		 */
		SPLIT,

		/**
		 * So many nodes could not answer that it is unknown whether an owner has a
		 * majority.
		 */
		UNKNOWN

	}

}
