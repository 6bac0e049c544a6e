package dev.redlock;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.CompletionStage;

/**
 * One operation, sent to all nodes at once.
 * <p>
 * It is decided as soon as enough nodes granted, or so many did not that enough never
 * will; it is settled when each node has answered or had its time. A vote that comes
 * later than the node timeout no longer counts.
 */
final class Round {

	private static final Faulted NO_ANSWER = new Faulted(Fault.TIMEOUT, "no answer within the node timeout", true);

	private final List<LockNode> nodes;

	private final int needed;

	private final ReentrantLock lock = new ReentrantLock();

	private final @Nullable Vote[] votes;

	private int granted;

	private int answered;

	/**
	 * Nothing is decided before each node was asked: a release that follows the verdict
	 * must come behind the question, everywhere.
	 */
	private boolean asked;

	private final CompletableFuture<Tally> decided = new CompletableFuture<>();

	private final CompletableFuture<Tally> explained = new CompletableFuture<>();

	private final CompletableFuture<Tally> settled = new CompletableFuture<>();

	private Round(List<LockNode> nodes, int needed) {
		this.nodes = nodes;
		this.needed = needed;
		this.votes = new Vote[nodes.size()];
	}

	/**
	 * Asks all nodes.
	 * @param nodes whom to ask
	 * @param needed how many grants win
	 * @param timeout how long one node may take
	 * @param scheduler the timers
	 * @param operation what to ask
	 * @return the round, under way
	 */
	static Round ask(List<LockNode> nodes, int needed, Duration timeout, Scheduler scheduler,
			Function<LockNode, CompletionStage<Vote>> operation) {
		Round round = new Round(nodes, needed);
		for (int i = 0; i < nodes.size(); i++) {
			int index = i;
			operation.apply(nodes.get(i)).whenComplete((vote, failure) -> round.accept(index, orFault(vote, failure)));
		}
		round.allAsked();
		if (!round.settled.isDone()) {
			Scheduler.Timeout timer = scheduler.schedule(timeout, round::timeOut);
			round.settled.whenComplete((tally, failure) -> timer.cancel());
		}
		return round;
	}

	/**
	 * Completes when the outcome is certain; the votes are those known by then.
	 */
	CompletableFuture<Tally> decided() {
		return this.decided;
	}

	/**
	 * Completes when it is certain why the round was not won: it may have been decided
	 * before enough nodes have told who stands in the way. Never completes for a round
	 * that was won.
	 */
	CompletableFuture<Tally> explained() {
		return this.explained;
	}

	/**
	 * Completes when each node has answered or timed out.
	 */
	CompletableFuture<Tally> settled() {
		return this.settled;
	}

	Tally tally() {
		this.lock.lock();
		try {
			// Votes that are all there change no more.
			@Nullable Vote[] shown = (this.answered == this.votes.length) ? this.votes : this.votes.clone();
			return new Tally(this.nodes, Collections.unmodifiableList(Arrays.asList(shown)), this.needed);
		}
		finally {
			this.lock.unlock();
		}
	}

	private static Vote orFault(@Nullable Vote vote, @Nullable Throwable failure) {
		if (vote != null) {
			return vote;
		}
		return new Faulted(Fault.ERROR, (failure != null) ? failure.toString() : "no vote", true);
	}

	private void accept(int index, Vote vote) {
		boolean certain;
		boolean settles;
		this.lock.lock();
		try {
			if (this.votes[index] != null) {
				return;
			}
			this.votes[index] = vote;
			this.answered++;
			if (vote instanceof Granted) {
				this.granted++;
			}
			certain = this.asked && isCertain();
			settles = this.asked && this.answered == this.votes.length;
		}
		finally {
			this.lock.unlock();
		}
		conclude(certain, settles);
	}

	private void allAsked() {
		boolean certain;
		boolean settles;
		this.lock.lock();
		try {
			this.asked = true;
			certain = isCertain();
			settles = this.answered == this.votes.length;
		}
		finally {
			this.lock.unlock();
		}
		conclude(certain, settles);
	}

	/**
	 * Outside of the lock: what hangs on these stages may start further rounds.
	 */
	private void conclude(boolean certain, boolean settles) {
		if (certain && !this.decided.isDone()) {
			this.decided.complete(tally());
		}
		if (certain && !this.explained.isDone()) {
			Tally tally = tally();
			if (!tally.won() && tally.isExplained()) {
				this.explained.complete(tally);
			}
		}
		if (settles) {
			this.settled.complete(tally());
		}
	}

	private boolean isCertain() {
		int stillPossible = this.granted + this.votes.length - this.answered;
		return this.granted >= this.needed || stillPossible < this.needed;
	}

	private void timeOut() {
		for (int i = 0; i < this.votes.length; i++) {
			accept(i, NO_ANSWER);
		}
	}

}
