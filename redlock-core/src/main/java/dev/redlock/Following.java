package dev.redlock;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the listener of one request what happens, in an order that makes sense, and
 * whatever the listener throws. A request that nobody listens to has none.
 */
final class Following {

	private static final Logger logger = LoggerFactory.getLogger(Following.class);

	private final RequestListener listener;

	private final Executor callbacks;

	private final Ticker ticker;

	private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.ASKING);

	private volatile HoldEnd end = HoldEnd.RELEASED;

	private Following(RequestListener listener, Engine engine) {
		this.listener = listener;
		this.callbacks = engine.callbacks();
		this.ticker = engine.ticker();
	}

	/**
	 * Asks whether anybody wants to follow the request.
	 * @return null if nobody does
	 */
	static @Nullable Following of(LockRequest request, Engine engine) {
		try {
			RequestListener listener = engine.listener().requested(request);
			return (listener != null) ? new Following(listener, engine) : null;
		}
		catch (Throwable ex) {
			failed(ex);
			return null;
		}
	}

	/**
	 * Asks the nodes to vote, and tells what each said when all have.
	 */
	Round vote(Function<LockNode, CompletionStage<Vote>> operation,
			Function<Function<LockNode, CompletionStage<Vote>>, Round> ask) {
		AnswerTimes times = new AnswerTimes(this.ticker);
		Round round = ask.apply(times.of(operation));
		round.settled().thenAcceptAsync((tally) -> voted(tally, times), this.callbacks);
		return round;
	}

	void ended(LockAttempt attempt) {
		tell(() -> this.listener.ended(attempt));
		Lease lease = attempt.lease().orElse(null);
		if (lease == null) {
			this.phase.set(Phase.OVER);
		}
		else if (!this.phase.compareAndSet(Phase.ASKING, Phase.HOLDING)) {
			// The hold was over before anybody could be told that it had begun.
			tell(() -> this.listener.holdEnded(lease, this.end));
		}
	}

	void renewed(Lease lease, RenewalOutcome outcome) {
		this.callbacks.execute(() -> tell(() -> this.listener.renewed(lease, outcome)));
	}

	void holdEnded(Lease lease, HoldEnd how) {
		this.end = how;
		if (this.phase.getAndSet(Phase.OVER) == Phase.HOLDING) {
			tell(() -> this.listener.holdEnded(lease, how));
		}
	}

	private void voted(Tally tally, AnswerTimes times) {
		for (int i = 0; i < tally.nodes().size(); i++) {
			LockNode node = tally.nodes().get(i);
			Vote vote = tally.votes().get(i);
			if (vote != null) {
				tell(() -> this.listener.voted(node.name(), vote, times.of(node)));
			}
		}
	}

	private static void tell(Runnable notification) {
		try {
			notification.run();
		}
		catch (Throwable ex) {
			failed(ex);
		}
	}

	private static void failed(Throwable failure) {
		logger.warn("A listener that follows a request for a lock failed", failure);
	}

	private enum Phase {

		ASKING, HOLDING, OVER

	}

}
