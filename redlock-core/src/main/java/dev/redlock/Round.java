package dev.redlock;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import dev.redlock.spi.EventLoop;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Scheduler.Timeout;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import org.jspecify.annotations.Nullable;

/**
 * One operation, sent to all nodes at once.
 * <p>
 * It is decided as soon as enough nodes granted, or so many did not that enough never
 * will; it is settled when each node has answered or had its time. A vote that comes
 * later than the node timeout no longer counts.
 */
final class Round {

	private static final Faulted NO_ANSWER = new Faulted(Fault.TIMEOUT, "no answer within the node timeout", true);

	private final EventLoop loop;

	private final List<LockNode> nodes;

	private final int needed;

	private final Listener listener;

	private final @Nullable Vote[] votes;

	private int granted;

	private int answered;

	/**
	 * Nothing is decided before each node was asked: a release that follows the decision
	 * must come behind the question, everywhere.
	 */
	private boolean asked;

	private boolean decided;

	private boolean explained;

	private boolean settled;

	private Timeout timer = Timeout.NONE;

	/**
	 * A round that has not begun.
	 * @param nodes whom to ask
	 * @param needed how many grants win
	 * @param loop where votes are counted
	 * @param listener is told how it goes
	 */
	Round(List<LockNode> nodes, int needed, EventLoop loop, Listener listener) {
		this.nodes = nodes;
		this.needed = needed;
		this.loop = loop;
		this.listener = listener;
		this.votes = new Vote[nodes.size()];
	}

	/**
	 * Asks all nodes.
	 * @param timeout how long one node may take
	 * @param operation what to ask
	 */
	void ask(Duration timeout, Function<LockNode, CompletionStage<Vote>> operation) {
		assert this.loop.inLoop();
		for (int i = 0; i < this.nodes.size(); i++) {
			int index = i;
			ask(this.nodes.get(i), operation).whenComplete((vote, failure) -> answered(index, vote, failure));
		}
		this.asked = true;
		conclude();
		if (!this.settled) {
			this.timer = this.loop.schedule(timeout, this::timeOut);
		}
	}

	/**
	 * The votes that have come in by now.
	 */
	Tally tally() {
		// Votes that are all there change no more.
		@Nullable Vote[] shown = (this.answered == this.votes.length) ? this.votes : this.votes.clone();
		return new Tally(this.nodes, Collections.unmodifiableList(Arrays.asList(shown)), this.needed);
	}

	private static CompletionStage<Vote> ask(LockNode node, Function<LockNode, CompletionStage<Vote>> operation) {
		try {
			return operation.apply(node);
		}
		catch (RuntimeException ex) {
			// Nodes must not throw. One that does counts as one that did not answer.
			return CompletableFuture.failedStage(ex);
		}
	}

	private void answered(int index, @Nullable Vote vote, @Nullable Throwable failure) {
		Vote given = (vote != null) ? vote
				: new Faulted(Fault.ERROR, (failure != null) ? failure.toString() : "no vote", true);
		// Once the loop has ended there is no other thread that counts.
		if (!this.loop.run(() -> count(index, given))) {
			count(index, given);
		}
	}

	private void count(int index, Vote vote) {
		if (this.votes[index] == null) {
			this.votes[index] = vote;
			this.answered++;
			this.granted += (vote instanceof Granted) ? 1 : 0;
			this.listener.voted(index);
			conclude();
		}
	}

	private void timeOut() {
		for (int i = 0; i < this.votes.length; i++) {
			count(i, NO_ANSWER);
		}
	}

	private void conclude() {
		if (!this.asked) {
			return;
		}
		if (!this.decided && isCertain()) {
			this.decided = true;
			this.listener.decided(tally());
		}
		if (this.decided && !this.explained && this.granted < this.needed && tally().isExplained()) {
			this.explained = true;
			this.listener.explained();
		}
		if (!this.settled && this.answered == this.votes.length) {
			this.settled = true;
			this.timer.cancel();
			this.listener.settled(tally());
		}
	}

	private boolean isCertain() {
		int stillPossible = this.granted + this.votes.length - this.answered;
		return this.granted >= this.needed || stillPossible < this.needed;
	}

	/**
	 * Is told how a round goes: of each vote, and then once each, in this order.
	 */
	interface Listener {

		/**
		 * A node has answered or timed out.
		 * @param index its place among the nodes of the round
		 */
		default void voted(int index) {
		}

		/**
		 * The outcome is certain. The votes are those known by then.
		 */
		default void decided(Tally tally) {
		}

		/**
		 * It is certain why the round was not won: it may have been decided before enough
		 * nodes have told which owner stands in the way. Not told of a round that was
		 * won.
		 */
		default void explained() {
		}

		/**
		 * Each node has answered or timed out.
		 */
		default void settled(Tally tally) {
		}

	}

}
