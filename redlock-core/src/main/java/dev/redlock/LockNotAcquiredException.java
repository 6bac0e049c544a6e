package dev.redlock;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.redlock.spi.Vote;

/**
 * Thrown when a lock was not acquired. The code that needs the lock did not run.
 */
public final class LockNotAcquiredException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final Reason reason;

	private final transient List<NodeVote> votes;

	/**
	 * Creates the exception from an attempt that failed.
	 */
	public LockNotAcquiredException(Set<String> resources, Reason reason, List<NodeVote> votes, int tries,
			Duration waited) {
		super(message(resources, reason, votes, tries, waited));
		this.reason = reason;
		this.votes = List.copyOf(votes);
	}

	/**
	 * Creates the exception with a message of the caller, and without votes of nodes.
	 */
	public LockNotAcquiredException(String message, Reason reason) {
		super(message);
		this.reason = reason;
		this.votes = List.of();
	}

	/**
	 * Returns the reason why the lock was not acquired.
	 */
	public Reason reason() {
		return this.reason;
	}

	/**
	 * Returns the vote of each node in the last try. If the request never asked the
	 * nodes, these are the votes that refused an earlier request of this process, or
	 * none.
	 */
	public List<NodeVote> votes() {
		return (this.votes != null) ? this.votes : List.of();
	}

	/**
	 * Returns the label of the owner that holds the lock, if a node reported a label.
	 */
	public Optional<String> holder() {
		return votes().stream()
			.map(NodeVote::vote)
			.filter(Vote.Refused.class::isInstance)
			.flatMap((vote) -> Stream.ofNullable(((Vote.Refused) vote).holder()))
			.filter((label) -> !label.isEmpty())
			.findFirst();
	}

	private static String message(Set<String> resources, Reason reason, List<NodeVote> votes, int tries,
			Duration waited) {
		String head = "The lock on " + resources + " was not acquired: " + reason + ", " + explanation(reason, votes)
				+ ", after " + ((tries > 0) ? tries + ((tries == 1) ? " try in " : " tries in ") : "waiting ")
				+ waited.toMillis() + " ms.";
		return head + votes.stream().map((vote) -> System.lineSeparator() + "  " + vote).collect(Collectors.joining());
	}

	private static String explanation(Reason reason, List<NodeVote> votes) {
		List<Instant> ends = votes.stream()
			.map(NodeVote::vote)
			.filter(Vote.Faulted.class::isInstance)
			.flatMap((vote) -> Stream.ofNullable(((Vote.Faulted) vote).votesAgain()))
			.sorted()
			.toList();
		boolean allWait = reason == Reason.NO_QUORUM && !ends.isEmpty() && ends.size() == votes.size();
		return allWait ? "because all nodes wait until " + ends.get(ends.size() / 2)
				+ " (once after the start of a server, in case it has forgotten locks)" : reason.explanation;
	}

	/**
	 * The reasons why a lock was not acquired.
	 */
	public enum Reason {

		/**
		 * One other owner holds the lock on a majority of the nodes, or this process
		 * holds the lock. Without {@link LockRequest#awaitReason()}, a request also fails
		 * as HELD if all nodes that answered in time named the same owner.
		 */
		HELD("another call or process holds the lock"),

		/**
		 * Several owners asked for the lock at once, and no owner is known to have a
		 * majority of the nodes.
		 */
		SPLIT_VOTE("several owners requested the lock at the same time, and none of them got a majority of the "
				+ "nodes; try again"),

		/**
		 * A majority of the nodes granted the lock but did not agree on a fencing token
		 * in time, so the lock was released.
		 */
		FENCE_NOT_SETTLED("a majority of the nodes granted the lock but did not agree on a fence, so the lock was "
				+ "released; try again"),

		/**
		 * So many nodes could not vote that no majority was possible.
		 */
		NO_QUORUM("too few nodes can vote before the time to wait for the lock ends; check the nodes below"),

		/**
		 * Another request was already allowed to run the job for this due time, or for a
		 * later due time.
		 */
		TICK_TAKEN("another call or process has taken this run of the job or a later run"),

		/**
		 * The record of the job's run for this due time reached too few nodes in time.
		 * The job did not run, and perhaps no process can run the job for this due time
		 * any more.
		 */
		TICK_LOST("too few nodes recorded this run of the job in time, so perhaps no process does this run; check the "
				+ "nodes below"),

		/**
		 * The lock of the ticket has ended, because its ttl has passed or the ticket was
		 * used before, and no other owner has the lock.
		 */
		TICKET_EXPIRED("the lock of the ticket has ended, because its ttl has passed or the ticket was used before, "
				+ "and nobody holds it now; request the lock anew"),

		/**
		 * The time to wait for the lock ended before enough nodes had answered.
		 */
		TIMED_OUT("the time to wait for the lock ended before the servers had decided any attempt"),

		/**
		 * A majority of the nodes granted the lock so late that the lease would already
		 * have expired.
		 */
		VALIDITY_EXHAUSTED("a majority of the nodes granted the lock too late for its ttl; raise the ttl"),

		/**
		 * The waiting thread was interrupted, or the returned stage was cancelled.
		 */
		INTERRUPTED("the caller was interrupted or gave up waiting"),

		/**
		 * The {@link Redlock} was closed, because the application shuts down or was
		 * stopped.
		 */
		SHUTTING_DOWN("this application is shutting down, or was stopped and not started again");

		private final String explanation;

		Reason(String explanation) {
			this.explanation = explanation;
		}

	}

}
