package dev.redlock.spring.shedlock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.Tick;
import dev.redlock.spi.Scheduler;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;

/**
 * A lock provider of ShedLock that locks on the Redis nodes. The name of the lock is the
 * name of the resource. This class is thread-safe.
 * <p>
 * The ttl of the lock is {@code redlock.ttl}, or {@code lockAtMostFor} if this time is
 * shorter. The lock is renewed until the task is done or {@code lockAtMostFor} is over,
 * and is released at that time. Renewal allows a {@code lockAtMostFor} that is longer
 * than {@code redlock.max-ttl}. If a process dies, another process can run the task after
 * the ttl. The nodes remember {@code lockAtLeastFor} even if the process ends. A node
 * that lost its data does not vote on a task whose {@code lockAtLeastFor} is over
 * {@code redlock.max-ttl} until {@code lockAtLeastFor} has passed.
 * <p>
 * If another process has the lock, the result is empty and the task is skipped. If the
 * nodes cannot decide because there is no quorum, the result is a {@link LockException},
 * and the task does not run either. The provider never waits for the owner of the lock.
 * If several processes asked at the same moment and no process got the lock, no process
 * would run the task. The provider therefore asks a few more times after a split vote,
 * and at last throws a {@link LockException}.
 */
public final class RedlockLockProvider implements ExtensibleLockProvider {

	private static final int MOST_TRIES = 5;

	/**
	 * The shortest ttl. A ttl must leave time for the nodes to answer. If
	 * {@code lockAtMostFor} is shorter, the timer of the lease ends the lease earlier.
	 */
	private static final Duration SHORTEST_TTL = Duration.ofSeconds(1);

	/**
	 * The timer of the lease normally ends the lease earlier than this limit of renewal.
	 */
	private static final Duration LONGEST_HOLD = Duration.ofDays(7);

	/**
	 * The allowed difference of client clocks for the time at which a node has lost its
	 * data.
	 */
	private static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(1);

	private static final Duration SLACK = Duration.ofSeconds(5);

	private final Redlock redlock;

	private final Scheduler timers;

	/**
	 * Creates a provider.
	 * @param redlock the lock
	 * @param timers the timers that end leases after {@code lockAtMostFor}
	 */
	public RedlockLockProvider(Redlock redlock, Scheduler timers) {
		this.redlock = redlock;
		this.timers = timers;
	}

	/**
	 * Asks for a lock, without waiting for its owner.
	 * @param configuration what to lock, and for how long
	 * @return the lock, empty if another process has it
	 * @throws LockException if the nodes could not decide, or the thread was interrupted
	 */
	@Override
	public Optional<SimpleLock> lock(LockConfiguration configuration) {
		LockAttempt attempt = attempt(configuration);
		for (int tries = 1; tries < MOST_TRIES && isUndecided(attempt); tries++) {
			pause(configuration);
			attempt = attempt(configuration);
		}
		attempt.failure()
			.filter((failure) -> failure.reason() != Reason.HELD && failure.reason() != Reason.TICK_TAKEN)
			.ifPresent((failure) -> {
				throw new LockException(
						"The task '" + configuration.getName() + "' does not run. " + failure.getMessage(), failure);
			});
		return attempt.lease().map((lease) -> ShedLease.start(lease, ttl(configuration), configuration, this.timers));
	}

	/**
	 * Returns whether several processes asked at once, so that perhaps no process got the
	 * lock.
	 */
	private static boolean isUndecided(LockAttempt attempt) {
		return attempt.reason()
			.filter((reason) -> reason == Reason.SPLIT_VOTE || reason == Reason.FENCE_NOT_SETTLED)
			.isPresent();
	}

	private LockRequest request(LockConfiguration configuration) {
		Duration atLeast = configuration.getLockAtLeastFor();
		LockRequest request = LockRequest.of(configuration.getName())
			.withWaitFor(Duration.ZERO)
			.withAwaitReason(true)
			.withTtl(ttl(configuration))
			.withRenew(true)
			.withMaxHold(longer(configuration.getLockAtMostFor(), LONGEST_HOLD));
		return fitsTheLock(atLeast) ? request.withAtLeast(atLeast)
				: request.withTick(Tick.atLeast(atLeast, shorter(CLOCK_DIFFERENCE, atLeast.dividedBy(2))));
	}

	/**
	 * Whether the nodes may keep the lock itself for the given time. Longer times are
	 * stored beside the lock, like the last tick of a job.
	 */
	private boolean fitsTheLock(Duration atLeast) {
		RedlockSettings settings = this.redlock.settings();
		return atLeast.plus(settings.lockDelay()).compareTo(settings.maxTtl()) <= 0;
	}

	private Duration ttl(LockConfiguration configuration) {
		Duration enough = longer(configuration.getLockAtMostFor(), SHORTEST_TTL);
		Duration ttl = shorter(this.redlock.settings().ttl(), enough);
		Duration atLeast = configuration.getLockAtLeastFor();
		return fitsTheLock(atLeast) ? longer(atLeast, ttl) : ttl;
	}

	/**
	 * Acquires the lock asynchronously. Renewal of a lock that a thread acquired by
	 * blocking would end with the thread, but a lock of ShedLock is not bound to a
	 * thread.
	 */
	private LockAttempt attempt(LockConfiguration configuration) {
		CompletableFuture<LockAttempt> attempt = this.redlock.attempt(request(configuration)).toCompletableFuture();
		Duration nodeTimeout = this.redlock.settings().nodeTimeoutFor(ttl(configuration));
		try {
			return await(attempt, nodeTimeout, configuration.getName());
		}
		catch (LockException ex) {
			// Without this cancellation, a lease that is granted at this moment would be
			// renewed without an owner.
			if (!attempt.cancel(true) && !attempt.isCompletedExceptionally()) {
				attempt.join().lease().ifPresent(Lease::releaseAsync);
			}
			throw ex;
		}
	}

	private void pause(LockConfiguration configuration) {
		CompletableFuture<Boolean> over = new CompletableFuture<>();
		long longest = this.redlock.settings().retryDelay().toNanos();
		Duration delay = Duration.ofNanos(ThreadLocalRandom.current().nextLong(longest) + 1);
		Scheduler.Timeout timer = this.timers.schedule(delay, () -> over.complete(true));
		try {
			await(over, delay, configuration.getName());
		}
		finally {
			timer.cancel();
		}
	}

	private static <T> T await(CompletableFuture<T> future, Duration expected, String name) {
		Duration bound = expected.multipliedBy(2).plus(SLACK);
		try {
			return future.get(bound.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new LockException("The task '" + name + "' does not run: its thread was interrupted", ex);
		}
		catch (TimeoutException ex) {
			throw new LockException("The task '" + name + "' does not run: the nodes did not answer in " + bound, ex);
		}
		catch (ExecutionException ex) {
			throw new LockException("The task '" + name + "' does not run", ex);
		}
	}

	private static Duration longer(Duration one, Duration other) {
		return (one.compareTo(other) > 0) ? one : other;
	}

	private static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

}
