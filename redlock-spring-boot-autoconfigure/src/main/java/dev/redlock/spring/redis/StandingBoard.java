package dev.redlock.spring.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

import dev.redlock.spi.NodeListener;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Shows how a node stands, and logs and tells when that changes.
 */
final class StandingBoard {

	private static final Logger log = LoggerFactory.getLogger(StandingBoard.class);

	private final String node;

	private final Ticker ticker;

	private final NodeListener listener;

	private final Standing initial = Standing.of(State.UNAVAILABLE, "It has not been connected yet", null);

	/**
	 * Lets changes be logged and told in their order.
	 */
	private final ReentrantLock changes = new ReentrantLock();

	private volatile Standing standing = this.initial;

	private volatile boolean closed;

	private final CompletableFuture<Void> firstVerdict = new CompletableFuture<>();

	StandingBoard(String node, Ticker ticker, NodeListener listener) {
		this.node = node;
		this.ticker = ticker;
		this.listener = listener;
	}

	Standing now() {
		return this.standing;
	}

	/**
	 * Completes when the node was checked, or could not be reached, for the first time.
	 */
	CompletableFuture<Void> firstVerdict() {
		return this.firstVerdict;
	}

	void set(Standing to) {
		change(null, to);
	}

	/**
	 * The end, which is neither logged nor told. Nothing changes after it.
	 */
	void close() {
		this.changes.lock();
		try {
			this.closed = true;
			this.standing = Standing.of(State.UNAVAILABLE, "It was closed", null);
		}
		finally {
			this.changes.unlock();
		}
		this.firstVerdict.complete(null);
	}

	/**
	 * Changes from one standing to another, if nothing came in between.
	 */
	boolean replace(Standing from, Standing to) {
		return change(from, to);
	}

	private boolean change(@Nullable Standing expected, Standing to) {
		this.changes.lock();
		try {
			Standing from = this.standing;
			if (this.closed || (expected != null && expected != from)) {
				return false;
			}
			changed(from, to);
		}
		finally {
			this.changes.unlock();
		}
		if (to.state() != State.CHECKING) {
			this.firstVerdict.complete(null);
		}
		return true;
	}

	private void changed(Standing from, Standing to) {
		boolean news = from.state() != to.state() || from == this.initial
				|| (to.state() == State.UNFIT && !from.reason().equals(to.reason()));
		if (news) {
			// Before the state shows, so that the log has the reason of what can be seen.
			log(from, to);
		}
		this.standing = to;
		if (from.state() != to.state()) {
			long now = this.ticker.nanoTime();
			this.listener.nodeChanged(this.node, from.status(now), to.status(now));
		}
	}

	private void log(Standing from, Standing to) {
		switch (to.state()) {
			case CHECKING ->
				about(log.atDebug(), from, to).log("Redlock node '{}' is being checked: {}", this.node, to.reason());
			case READY -> about(log.atInfo(), from, to).log("Redlock node '{}' is ready and votes", this.node);
			case UNAVAILABLE -> about(log.atWarn(), from, to).log(
					"Redlock node '{}' is unavailable and does not vote until it is connected again: {}", this.node,
					to.reason());
			case QUARANTINED ->
				about(log.atWarn(), from, to).log("Redlock node '{}' is in quarantine and does not vote: {} (in {} ms)",
						this.node, to.reason(), to.remaining(this.ticker.nanoTime()).toMillis());
			case UNFIT -> about(log.atWarn(), from, to).log(
					"Redlock node '{}' is not fit for locks and does not vote until this is changed: {}", this.node,
					to.reason());
		}
	}

	/**
	 * What a structured log has as fields, besides the sentence for people.
	 */
	private LoggingEventBuilder about(LoggingEventBuilder line, Standing from, Standing to) {
		return line.addKeyValue("redlock.node", this.node)
			.addKeyValue("redlock.from", from.state())
			.addKeyValue("redlock.state", to.state());
	}

}
