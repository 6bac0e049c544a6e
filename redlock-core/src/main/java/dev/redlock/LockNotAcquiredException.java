package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import dev.redlock.spi.Vote;

/**
 * The lock was not acquired, and the work under it did not run.
 */
public final class LockNotAcquiredException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final Reason reason;

	private final transient List<NodeVote> votes;

	/**
	 * Creates the exception from an attempt that failed.
	 * @param resources what was to be locked
	 * @param reason why it was not
	 * @param votes what each node said last
	 * @param tries how many attempts were made
	 * @param waited how long it took
	 */
	public LockNotAcquiredException(Set<String> resources, Reason reason, List<NodeVote> votes, int tries,
			Duration waited) {
		super(message(resources, reason, votes, tries, waited));
		this.reason = reason;
		this.votes = List.copyOf(votes);
	}

	/**
	 * Why the lock was not acquired.
	 * @return the reason
	 */
	public Reason reason() {
		return this.reason;
	}

	/**
	 * What each node said in the last attempt.
	 * @return the votes, empty if no attempt was made
	 */
	public List<NodeVote> votes() {
		return (this.votes != null) ? this.votes : List.of();
	}

	/**
	 * The label of the owner that holds the lock, as a node reported it.
	 * @return the label, if known
	 */
	public Optional<String> holder() {
		return votes().stream()
			.map(NodeVote::vote)
			.filter(Vote.Refused.class::isInstance)
			.map((vote) -> Optional.ofNullable(((Vote.Refused) vote).holder()))
			.flatMap(Optional::stream)
			.filter((label) -> !label.isEmpty())
			.findFirst();
	}

	private static String message(Set<String> resources, Reason reason, List<NodeVote> votes, int tries,
			Duration waited) {
		String head = "The lock on " + resources + " was not acquired: " + reason + ", " + reason.explanation
				+ ", after " + tries + ((tries == 1) ? " try in " : " tries in ") + waited.toMillis() + " ms.";
		return head + votes.stream().map((vote) -> System.lineSeparator() + "  " + vote).collect(Collectors.joining());
	}

	/**
	 * Why a lock was not acquired.
	 */
	public enum Reason {

		/**
		 * One other owner has it on a majority of the nodes, or this process has it. For
		 * {@link Redlock#takeUp(String)}: the lease of the ticket is no longer there.
		 */
		HELD("it is held"),

		/**
		 * Several owners asked for it at once, and none of them has a majority of the
		 * nodes. It may be that nobody got it.
		 */
		SPLIT_VOTE("several owners asked for it at once and none of them got a majority; try again"),

		/**
		 * A majority granted it, but its fence could not be settled before the votes
		 * changed, so the lock was given back. It may be that nobody got it.
		 */
		FENCE_NOT_SETTLED("a majority granted it but did not agree on a fence, so it was given back; try again"),

		/**
		 * Too many nodes are at fault for a majority.
		 */
		NO_QUORUM("too few nodes can vote; check the nodes below"),

		/**
		 * The time to wait was over before any attempt came to a verdict.
		 */
		TIMED_OUT("the time to wait was over before the nodes came to a verdict"),

		/**
		 * A majority granted it, but so late that nothing of the ttl was left.
		 */
		VALIDITY_EXHAUSTED("a majority granted it too late for its ttl; raise the ttl"),

		/**
		 * The waiting thread was interrupted, or the future cancelled.
		 */
		INTERRUPTED("the caller was interrupted or gave up"),

		/**
		 * The lock is being shut down.
		 */
		SHUTTING_DOWN("this application is shutting down");

		private final String explanation;

		Reason(String explanation) {
			this.explanation = explanation;
		}

	}

}
