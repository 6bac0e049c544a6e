package dev.redlock.internal.client;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import dev.redlock.LeaseSnapshot;
import dev.redlock.internal.lease.HeldLease;
import dev.redlock.internal.lease.HeldLeases;
import dev.redlock.internal.vote.LockContext;
import dev.redlock.spi.Scheduler.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the leases of a client that closes: first waits for work that still runs under a
 * lease, then for the confirmations of all releases.
 */
final class Drain {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.lease");

	private static final int MOST_NODE_TIMEOUTS = 10;

	private static final int MOST_NAMES = 10;

	private final LockContext context;

	private final HeldLeases leases;

	private final Thread closing;

	private final Duration nodeTimeout;

	private final CompletableFuture<Void> ended = new CompletableFuture<>();

	private final List<Runnable> reports = new ArrayList<>();

	private Timeout timer = Timeout.NONE;

	private long releasesSinceNanos;

	/**
	 * @param closing the thread that closes the client, whose own work cannot end
	 * meanwhile
	 */
	Drain(LockContext context, HeldLeases leases, Thread closing) {
		this.context = context;
		this.leases = leases;
		this.closing = closing;
		this.nodeTimeout = nodeTimeout(context);
	}

	static Duration longestForReleases(LockContext context) {
		return nodeTimeout(context).multipliedBy(MOST_NODE_TIMEOUTS);
	}

	private static Duration nodeTimeout(LockContext context) {
		return context.settings().nodeTimeoutFor(context.settings().ttl());
	}

	CompletableFuture<Void> ended() {
		return this.ended;
	}

	/**
	 * Writes to the log which leases were taken from running work. Never called on the
	 * event loop, because writing may block.
	 */
	void report() {
		this.reports.forEach(Runnable::run);
	}

	void start() {
		Duration longest = this.context.settings().shutdownTimeout();
		List<HeldLease> running = running();
		if (!running.isEmpty() && !longest.isZero()) {
			logger.info("The shutdown waits up to {} ms for work that still runs under locks: {}", longest.toMillis(),
					names(running));
			this.timer = this.context.loop().schedule(longest, this::endWork);
			this.leases.onEnd(this::endWorkIfOver);
		}
		else {
			endWork();
		}
	}

	private void endWorkIfOver() {
		if (this.leases.stream().noneMatch(this::isAwaited)) {
			endWork();
		}
	}

	private void endWork() {
		this.timer.cancel();
		this.releasesSinceNanos = this.context.ticker().nanoTime();
		this.leases.onEnd(HeldLeases.NO_ACTION);
		this.leases.stream().filter((lease) -> !lease.isBeingReleased()).forEach(this::take);
		this.leases.onEnd(this::endIfReleased);
		// Requests and leases end in events on the loop, so their releases are known in a
		// later event.
		this.context.loop().execute(this::endIfReleased);
		this.timer = this.context.loop().schedule(this.nodeTimeout, this::endIfSilent);
	}

	private void endIfReleased() {
		if (this.leases.stream().noneMatch(HeldLease::isBeingReleased)) {
			this.context.releases().whenDone(this::end);
		}
	}

	/**
	 * Gives up on nodes that do not answer. Nodes that still confirm releases may have
	 * thousands of releases to handle, so they get more time.
	 */
	private void endIfSilent() {
		long now = this.context.ticker().nanoTime();
		long confirmed = this.context.releases().lastConfirmedNanos() - this.releasesSinceNanos;
		long silent = now - this.releasesSinceNanos - Math.max(0, confirmed);
		long left = Math.min(this.nodeTimeout.toNanos() - silent,
				longestForReleases(this.context).toNanos() - (now - this.releasesSinceNanos));
		if (left <= 0) {
			end();
		}
		else {
			this.timer = this.context.loop().schedule(Duration.ofNanos(left), this::endIfSilent);
		}
	}

	private void end() {
		if (!this.ended.isDone()) {
			this.timer.cancel();
			this.leases.onEnd(HeldLeases.NO_ACTION);
			this.ended.complete(null);
		}
	}

	private void take(HeldLease lease) {
		boolean deletes = this.context.settings().releaseRunning();
		LeaseSnapshot taken = lease.snapshot();
		Duration left = lease.shutDown(deletes);
		if (left != null) {
			long untilMillis = TimeUnit.MICROSECONDS.toMillis(this.context.ticker().epochMicros()) + left.toMillis();
			OffsetDateTime until = LocalDateTime
				.ofEpochSecond(untilMillis / 1_000, (int) (untilMillis % 1_000) * 1_000_000, ZoneOffset.UTC)
				.atOffset(ZoneOffset.UTC);
			this.reports.add(() -> report(taken, until, deletes && left.isZero()));
		}
	}

	private static void report(LeaseSnapshot taken, OffsetDateTime until, boolean deleted) {
		String what = deleted
				? "Its keys were deleted (redlock.shutdown.release-running), so another process may hold the lock now"
				: "Its keys stay until " + until + ", and no other process gets the lock before";
		logger.atWarn()
			.addKeyValue("redlock.resources", taken.resources())
			.addKeyValue("redlock.origin", taken.origin())
			.addKeyValue("redlock.held-ms", taken.heldFor().toMillis())
			.addKeyValue("redlock.keys-until", until)
			.log("The shutdown did not wait for the end of work that has run for {} ms under the lock on {}. {}",
					taken.heldFor().toMillis(), name(taken), what);
	}

	private List<HeldLease> running() {
		return this.leases.stream().filter(this::isAwaited).toList();
	}

	private boolean isAwaited(HeldLease lease) {
		return lease.isBeingReleased() || (lease.isOpen() && !lease.isWorkOf(this.closing));
	}

	private static String names(List<HeldLease> running) {
		String names = running.stream()
			.limit(MOST_NAMES)
			.map((lease) -> name(lease.snapshot()))
			.collect(Collectors.joining(", "));
		return (running.size() > MOST_NAMES) ? names + " and " + (running.size() - MOST_NAMES) + " more" : names;
	}

	private static String name(LeaseSnapshot lease) {
		return lease.resources() + ((lease.origin() != null) ? " (" + lease.origin() + ")" : "");
	}

}
