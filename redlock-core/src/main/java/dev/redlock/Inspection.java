package dev.redlock;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Vote.Refused;
import org.jspecify.annotations.Nullable;

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
		int most = Owners.most(votes());
		if (most >= majority) {
			return Verdict.HELD;
		}
		// Where so many are free that the others are no majority, nobody can have one.
		if (count(Granted.class) > this.nodes.size() - majority) {
			return Verdict.FREE;
		}
		// A node that could not answer may be one more of the owner that has most.
		return (most + faulted() < majority) ? Verdict.SPLIT : Verdict.UNKNOWN;
	}

	/**
	 * The label of the owner that has a majority; of the first owner that a node names,
	 * where none has.
	 * @return the label, if there is one
	 */
	public Optional<String> holder() {
		boolean held = verdict() == Verdict.HELD;
		return refusals().stream()
			.filter((refused) -> !held || hasMajority(refused))
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
			.filter(this::hasMajority)
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

	private boolean hasMajority(Refused refused) {
		return Owners.count(votes(), refused.ownerHash()) >= new Quorum(this.nodes.size()).majority();
	}

	private List<@Nullable Vote> votes() {
		return this.nodes.stream().<@Nullable Vote>map(NodeVote::vote).toList();
	}

	private List<Refused> refusals() {
		return votes().stream().filter(Refused.class::isInstance).map(Refused.class::cast).toList();
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
		 * One owner has it on a majority of the nodes.
		 */
		HELD,

		/**
		 * Several owners have it on some of the nodes each, and none on a majority.
		 */
		SPLIT,

		/**
		 * Too many nodes could not answer.
		 */
		UNKNOWN

	}

}
