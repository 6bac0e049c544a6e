package dev.redlock.internal.vote;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;

import dev.redlock.spi.EventLoop;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Scheduler.Timeout;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import org.jspecify.annotations.Nullable;

/**
 * Sends one operation to all nodes at once, and counts their votes. A round is decided as
 * soon as the votes suffice. A round is over when each node has answered or timed out.
 */
public final class Round {

	private static final Faulted NO_ANSWER = new Faulted(Fault.TIMEOUT, "no answer within the node timeout", true);

	private final EventLoop loop;

	private final List<LockNode> nodes;

	private final int needed;

	private final BooleanSupplier suffices;

	private final Listener listener;

	private final @Nullable Vote[] votes;

	private int answered;

	private Phase phase = Phase.ASKING;

	private Timeout timer = Timeout.NONE;

	public Round(List<LockNode> nodes, int needed, EventLoop loop, Listener listener) {
		this(nodes, needed, loop, null, listener);
	}

	/**
	 * @param until when the votes suffice; null if they suffice once enough nodes have
	 * granted the operation, or too few nodes can still grant it
	 */
	public Round(List<LockNode> nodes, int needed, EventLoop loop, @Nullable Predicate<Tally> until,
			Listener listener) {
		this.nodes = nodes;
		this.needed = needed;
		this.loop = loop;
		this.suffices = (until != null) ? () -> until.test(tally()) : this::isCertain;
		this.listener = listener;
		this.votes = new Vote[nodes.size()];
	}

	public void ask(Duration timeout, Function<LockNode, CompletionStage<Vote>> operation) {
		assert this.loop.inLoop();
		for (int i = 0; i < this.nodes.size(); i++) {
			int index = i;
			ask(this.nodes.get(i), operation).whenComplete((vote, failure) -> answered(index, vote, failure));
		}
		this.phase = Phase.ASKED;
		conclude();
		if (this.phase != Phase.OVER) {
			this.timer = this.loop.schedule(timeout, this::timeOut);
		}
	}

	public Tally tally() {
		// An array with the votes of all nodes no longer changes, so no copy is needed.
		@Nullable Vote[] shown = isComplete() ? this.votes : this.votes.clone();
		return new Tally(this.nodes, Arrays.asList(shown), this.needed);
	}

	static CompletionStage<Vote> ask(LockNode node, Function<LockNode, CompletionStage<Vote>> operation) {
		try {
			return Objects.requireNonNull(operation.apply(node), "no stage");
		}
		catch (Throwable ex) {
			// A node that throws counts as a node that did not answer, so that the
			// request still gets an outcome.
			return CompletableFuture.failedStage(ex);
		}
	}

	private void answered(int index, @Nullable Vote vote, @Nullable Throwable failure) {
		Vote given = (vote != null) ? vote
				: new Faulted(Fault.ERROR, (failure != null) ? failure.toString() : "no vote", true);
		// After the event loop has ended, the calling thread counts the vote itself.
		if (!this.loop.run(() -> count(index, given))) {
			count(index, given);
		}
	}

	private void count(int index, Vote vote) {
		if (this.votes[index] == null) {
			this.votes[index] = vote;
			this.answered++;
			this.listener.voted(index, vote);
			conclude();
		}
	}

	private void timeOut() {
		for (int i = 0; i < this.votes.length; i++) {
			count(i, NO_ANSWER);
		}
	}

	private void conclude() {
		if (this.phase == Phase.ASKED && (isComplete() || this.suffices.getAsBoolean())) {
			this.phase = Phase.DECIDED;
			this.listener.decided(tally());
		}
		if (this.phase == Phase.DECIDED && isComplete()) {
			this.phase = Phase.OVER;
			this.timer.cancel();
			this.listener.allAnswered(tally());
		}
	}

	private boolean isComplete() {
		return this.answered == this.votes.length;
	}

	private boolean isCertain() {
		int granted = 0;
		for (Vote vote : this.votes) {
			granted += (vote instanceof Granted) ? 1 : 0;
		}
		int stillPossible = granted + this.votes.length - this.answered;
		return granted >= this.needed || stillPossible < this.needed;
	}

	/**
	 * No result is reported while nodes are asked, because a later release must reach
	 * each node after the operation. A round is over when each node has answered or timed
	 * out.
	 */
	private enum Phase {

		ASKING, ASKED, DECIDED, OVER

	}

	public interface Listener {

		default void voted(int index, Vote vote) {
		}

		/**
		 * Called once, when the votes suffice or each node has answered or timed out, but
		 * not before all nodes have been asked.
		 */
		void decided(Tally tally);

		default void allAnswered(Tally tally) {
		}

	}

}
