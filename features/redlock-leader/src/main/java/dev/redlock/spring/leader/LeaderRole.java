package dev.redlock.spring.leader;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.QuorumStatus;
import dev.redlock.Redlock;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.Scheduler;
import dev.redlock.spring.leader.LeaderRevokedEvent.Reason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A role that one process at a time leads, as this process sees it. This class is
 * thread-safe.
 *
 * <pre>
 *        start, join         granted, higher term          yield, leave, stop,
 *                                                          loss, renewal too late
 *  IDLE -------------&gt; ASKING -------------------&gt; LEADING -------------------&gt; ENDING
 *   ^                   |  ^                                                       |
 *   |    leave, stop    |  '------------- candidate: a second after the lease -----+
 *   +-------------------'                                                          |
 *   '------------------------------------ no candidate: after the lease -----------'
 * </pre>
 *
 * After a term, the lease is released when listeners were told and calls have ended. A
 * lost lease has ended already, so this process may ask, and lead again, while calls of
 * the lost term still run.
 */
public final class LeaderRole {

	private static final Logger logger = LoggerFactory.getLogger(LeaderRole.class);

	private static final Duration WITHOUT_END = Duration.ofSeconds(Long.MAX_VALUE);

	/**
	 * How long this process waits after its lease was released or lost before it asks
	 * again, so that other processes can become the leader.
	 */
	private static final Duration PAUSE_AFTER_LEADING = Duration.ofSeconds(1);

	/**
	 * This process stops leading when less than a sixth of the ttl of its lease is left.
	 */
	private static final int MARGINS_PER_TTL = 6;

	private final String name;

	private final Redlock redlock;

	private final LockRequest request;

	private final Duration margin;

	private final Scheduler timers;

	private final Executor notifications;

	private final Consumer<Object> events;

	private final ReentrantLock lock = new ReentrantLock();

	private int candidacies;

	private boolean started;

	/**
	 * Whether this process asks for the role, leads, ends a term, or waits to ask again.
	 */
	private boolean busy;

	private long lastTerm;

	private @Nullable CompletableFuture<LockAttempt> attempt;

	private volatile @Nullable Term term;

	LeaderRole(Redlock redlock, LockRequest request, Scheduler timers, Executor notifications,
			Consumer<Object> events) {
		Duration ttl = (request.ttl() != null) ? request.ttl() : redlock.settings().ttl();
		this.name = request.resources().get(0);
		this.redlock = redlock;
		this.request = request.withWaitFor(WITHOUT_END)
			.withRetryCount(-1)
			.withRenew(true)
			.withMaxHold(WITHOUT_END)
			.withStandby(true);
		this.margin = ttl.dividedBy(MARGINS_PER_TTL);
		this.timers = timers;
		this.notifications = notifications;
		this.events = events;
	}

	/**
	 * Returns the name of the role, which is also the name of the lock of its leader.
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Returns whether this process leads the role. The method returns false already some
	 * time before the leader's lease expires. No other process can become the leader
	 * before the current leader's lease has expired or was released.
	 */
	public boolean isLeader() {
		return termWithTimeLeft() != null;
	}

	/**
	 * Returns the number of the current term, which is the fence of the leader's lease.
	 * @return empty if this process does not lead the role
	 */
	public OptionalLong term() {
		Term current = termWithTimeLeft();
		return (current != null) ? OptionalLong.of(current.number) : OptionalLong.empty();
	}

	/**
	 * Leaves the role to another process. New leader-only calls are refused at once,
	 * listeners are notified, running calls end, and then the lease is released. One
	 * second after the release, this process asks for the role again. The method
	 * {@code yield()} does not wait until the lease is released.
	 * @return false if this process does not lead the role
	 */
	public boolean yield() {
		Term current = termWithTimeLeft();
		return current != null && end(current, Reason.YIELDED);
	}

	/**
	 * Throws an exception if fencing is disabled, or the lock settings do not allow the
	 * request for the leader's lease.
	 */
	void check() {
		if (!this.redlock.settings().fencing()) {
			throw new IllegalStateException("The role '" + this.name
					+ "' needs fences to number its terms, but fencing is disabled. Set redlock.fencing.enabled=true on "
					+ "every client.");
		}
		this.redlock.check(this.request);
	}

	boolean isJoined() {
		return locked(() -> this.candidacies > 0);
	}

	void join() {
		locked(() -> ++this.candidacies);
		ask();
	}

	/**
	 * Closes one candidacy of this process, and gives up the role after the last one. The
	 * leader's lease is released when its running calls have ended.
	 */
	void leave() {
		if (locked(() -> --this.candidacies) == 0) {
			resign();
		}
	}

	void start() {
		locked(() -> this.started = true);
		ask();
	}

	void stop() {
		locked(() -> this.started = false);
		resign();
	}

	private void resign() {
		CompletableFuture<LockAttempt> asked = locked(() -> this.attempt);
		if (asked != null) {
			asked.cancel(true);
		}
		Term current = this.term;
		if (current != null) {
			end(current, Reason.STOPPED);
		}
	}

	/**
	 * Counts a call on the current term, until the stage completes.
	 * @throws LockNotAcquiredException if this process does not lead the role
	 */
	Lease lend(CompletionStage<Void> end) {
		Term current = termWithTimeLeft();
		if (current == null || !current.addCall()) {
			throw refusal();
		}
		end.thenRun(current::endCall);
		return current.lease;
	}

	private LockNotAcquiredException refusal() {
		String head = "This process does not lead the role '" + this.name + "'";
		if (this.redlock.isClosed()) {
			return new LockNotAcquiredException(head + ": the process is shutting down, or was stopped.",
					LockNotAcquiredException.Reason.SHUTTING_DOWN);
		}
		if (!isJoined()) {
			return new LockNotAcquiredException(
					head + ": the process is not a candidate. Call LeaderTemplate.join(\"" + this.name + "\") first.",
					LockNotAcquiredException.Reason.HELD);
		}
		QuorumStatus quorum = this.redlock.quorum();
		if (quorum.isReached()) {
			return new LockNotAcquiredException(head + ".", LockNotAcquiredException.Reason.HELD);
		}
		String silent = this.redlock.nodes()
			.stream()
			.filter((node) -> node.status().state() != NodeStatus.State.READY)
			.map((node) -> node.name() + " (" + node.status().state() + ")")
			.collect(Collectors.joining(", "));
		return new LockNotAcquiredException(
				head + ", and no process can. Nodes that are ready: " + quorum.ready() + " of " + quorum.nodes()
						+ ", needed: " + quorum.majority() + ". Nodes that do not vote: " + silent + ".",
				LockNotAcquiredException.Reason.NO_QUORUM);
	}

	/**
	 * The clock is read, because the timer that ends the term is late if this process was
	 * paused.
	 */
	private @Nullable Term termWithTimeLeft() {
		Term current = this.term;
		return (current != null && left(current).compareTo(Duration.ZERO) > 0) ? current : null;
	}

	private Duration left(Term current) {
		return current.lease.remaining().minus(this.margin);
	}

	private void ask() {
		boolean asks = locked(() -> {
			boolean free = isCandidate() && !this.busy;
			this.busy |= free;
			return free;
		});
		if (asks) {
			CompletableFuture<LockAttempt> asked = this.redlock.attempt(this.request).toCompletableFuture();
			boolean stopped = locked(() -> {
				this.attempt = asked;
				return !isCandidate();
			});
			if (stopped) {
				asked.cancel(true);
			}
			asked.whenComplete((attempted, failure) -> answered(attempted));
		}
	}

	private void answered(@Nullable LockAttempt attempted) {
		locked(() -> this.attempt = null);
		Lease lease = (attempted != null) ? attempted.lease().orElse(null) : null;
		if (lease == null) {
			askAfter(this.redlock.settings().retryDelay());
		}
		else if (!begin(lease)) {
			lease.releaseAsync().whenComplete((released, failure) -> askAfter(PAUSE_AFTER_LEADING));
		}
	}

	private boolean begin(Lease lease) {
		long number = lease.fence();
		Term begun = new Term(number, lease);
		boolean granted = locked(() -> {
			if (!isCandidate() || number <= this.lastTerm) {
				return false;
			}
			this.lastTerm = number;
			this.term = begun;
			// The granted event is queued while "lock" is held, so that the revoked
			// event cannot come first.
			notifyListeners(new LeaderGrantedEvent(this.name, number), () -> {
			});
			return true;
		});
		if (!granted) {
			logger.debug("Released the lease of the role '{}' with the term {}: this process is no longer a "
					+ "candidate, or has already led in a later term", this.name, number);
		}
		else {
			logger.info("This process leads the role '{}' in term {}", this.name, number);
			lease.lost().thenRun(() -> {
				end(begun, Reason.LOST);
				begun.leaseEnded.complete(null);
			});
			endInTime(begun);
		}
		return granted;
	}

	/**
	 * Ends the term before its lease expires if the lease is not renewed.
	 */
	private void endInTime(Term current) {
		if (this.term != current) {
			return;
		}
		Duration left = left(current);
		if (left.compareTo(Duration.ZERO) > 0) {
			current.timer = this.timers.schedule(left, () -> endInTime(current));
		}
		else {
			end(current, Reason.NOT_RENEWED);
		}
	}

	/**
	 * The lease is released when listeners were told and running calls have ended.
	 * @param wanted the reason for listeners, which get {@code LOST} instead if the lease
	 * is lost
	 * @return false if the term had ended before this call
	 */
	private boolean end(Term ended, Reason wanted) {
		Reason reason = ended.lease.isValid() ? wanted : Reason.LOST;
		boolean first = locked(() -> {
			boolean current = this.term == ended;
			this.term = current ? null : this.term;
			return current;
		});
		if (first) {
			logger.atLevel((reason == Reason.YIELDED || reason == Reason.STOPPED) ? Level.INFO : Level.WARN)
				.log("This process no longer leads the role '{}', because its term {} has ended: {}", this.name,
						ended.number, reason);
			ended.timer.cancel();
			ended.leaseEnded.thenRun(() -> askAfter(PAUSE_AFTER_LEADING));
			notifyListeners(new LeaderRevokedEvent(this.name, ended.number, reason), ended::endCall);
		}
		return first;
	}

	private void askAfter(Duration delay) {
		Runnable next = () -> {
			locked(() -> this.busy = false);
			ask();
		};
		if (locked(this::isCandidate)) {
			this.timers.schedule(delay, next);
		}
		else {
			next.run();
		}
	}

	private boolean isCandidate() {
		return this.started && this.candidacies > 0;
	}

	private void notifyListeners(Object event, Runnable then) {
		try {
			this.notifications.execute(() -> {
				try {
					this.events.accept(event);
				}
				catch (RuntimeException | Error ex) {
					logger.warn("A listener of the role '{}' failed", this.name, ex);
				}
				then.run();
			});
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			// The listeners are not notified, because the executor's queue is full or
			// the system has no free thread.
			then.run();
		}
	}

	private <T extends @Nullable Object> T locked(Supplier<T> change) {
		this.lock.lock();
		try {
			return change.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * A period in which this process leads the role with one lease.
	 */
	private static final class Term {

		private final long number;

		private final Lease lease;

		/**
		 * The number of running calls, plus one until the listeners were told of the end.
		 */
		private final AtomicInteger calls = new AtomicInteger(1);

		private final CompletableFuture<Void> leaseEnded = new CompletableFuture<>();

		private volatile Scheduler.Timeout timer = Scheduler.Timeout.NONE;

		private Term(long number, Lease lease) {
			this.number = number;
			this.lease = lease;
		}

		private boolean addCall() {
			return this.calls.getAndUpdate((count) -> (count > 0) ? count + 1 : 0) > 0;
		}

		private void endCall() {
			if (this.calls.decrementAndGet() == 0) {
				this.lease.releaseAsync().whenComplete((released, failure) -> this.leaseEnded.complete(null));
			}
		}

	}

}
