package dev.redlock;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Vote.Refused;

/**
 * What the nodes said about one resource, for people who want to know. By the time it is
 * read it may be otherwise: nothing may be decided on it.
 *
 * @param resource the name of what may be locked
 * @param nodes what each node said: granted where it is free, refused where it is held
 */
public record Inspection(String resource, List<NodeVote> nodes) {

	/**
	 * Keeps what the nodes said.
	 * @param resource the name of what may be locked
	 * @param nodes what each node said
	 */
	public Inspection {
		nodes = List.copyOf(nodes);
	}

	/**
	 * What the majority says.
	 * @return the verdict
	 */
	public Verdict verdict() {
		int majority = new Quorum(this.nodes.size()).majority();
		if (count(Refused.class) >= majority) {
			return Verdict.HELD;
		}
		// Where so many are free that the others are no majority, nobody can have one.
		return (count(Granted.class) > this.nodes.size() - majority) ? Verdict.FREE : Verdict.UNKNOWN;
	}

	/**
	 * The label of the owner, as the first node that holds the resource has it.
	 * @return the label, if there is one
	 */
	public Optional<String> holder() {
		return refusals().stream()
			.map((refused) -> Optional.ofNullable(refused.holder()))
			.flatMap(Optional::stream)
			.findFirst();
	}

	/**
	 * How long a majority will go on holding the resource if nobody extends or releases
	 * it.
	 * @return the time, empty unless it is held
	 */
	public Optional<Duration> remaining() {
		if (verdict() != Verdict.HELD) {
			return Optional.empty();
		}
		return refusals().stream()
			.map((refused) -> Optional.ofNullable(refused.remaining()).orElse(Duration.ZERO))
			.sorted(Comparator.reverseOrder())
			.skip(new Quorum(this.nodes.size()).majority() - 1L)
			.findFirst();
	}

	/**
	 * How many nodes could not answer.
	 * @return the number of nodes
	 */
	public int faulted() {
		return this.nodes.size() - count(Granted.class) - count(Refused.class);
	}

	private int count(Class<? extends Vote> kind) {
		return (int) this.nodes.stream().filter((node) -> kind.isInstance(node.vote())).count();
	}

	private List<Refused> refusals() {
		return this.nodes.stream()
			.map(NodeVote::vote)
			.filter(Refused.class::isInstance)
			.map(Refused.class::cast)
			.toList();
	}

	/**
	 * What a majority of the nodes says about a resource.
	 */
	public enum Verdict {

		/**
		 * So many nodes are free that nobody can have a majority.
		 */
		FREE,

		/**
		 * A majority of the nodes holds it.
		 */
		HELD,

		/**
		 * Too many nodes could not answer.
		 */
		UNKNOWN

	}

}
