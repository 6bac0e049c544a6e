package dev.redlock.spring.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import dev.redlock.spi.NodeListener;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Ticker;
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

	private final AtomicReference<Standing> standing = new AtomicReference<>(this.initial);

	private final CompletableFuture<Void> firstVerdict = new CompletableFuture<>();

	StandingBoard(String node, Ticker ticker, NodeListener listener) {
		this.node = node;
		this.ticker = ticker;
		this.listener = listener;
	}

	@SuppressWarnings("NullAway") // There is a standing from the start.
	Standing now() {
		return this.standing.get();
	}

	/**
	 * Completes when the node was checked, or could not be reached, for the first time.
	 */
	CompletableFuture<Void> firstVerdict() {
		return this.firstVerdict;
	}

	void set(Standing to) {
		changed(this.standing.getAndSet(to), to);
	}

	/**
	 * The end, which is no news to anybody.
	 */
	void close() {
		this.standing.set(Standing.of(State.UNAVAILABLE, "It was closed", null));
		this.firstVerdict.complete(null);
	}

	/**
	 * Changes from one standing to another, if nothing came in between.
	 */
	boolean replace(Standing from, Standing to) {
		boolean replaced = this.standing.compareAndSet(from, to);
		if (replaced) {
			changed(from, to);
		}
		return replaced;
	}

	private void changed(Standing from, Standing to) {
		boolean news = from.state() != to.state() || from == this.initial
				|| (to.state() == State.UNFIT && !from.reason().equals(to.reason()));
		if (news) {
			log(from, to);
		}
		if (from.state() != to.state()) {
			long now = this.ticker.nanoTime();
			this.listener.nodeChanged(this.node, from.status(now), to.status(now));
		}
		if (to.state() != State.CHECKING) {
			this.firstVerdict.complete(null);
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
			case QUARANTINED -> about(log.atWarn(), from, to)
				.log("Redlock node '{}' is in quarantine and does not vote: {}", this.node, to.reason());
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
