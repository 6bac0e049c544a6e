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
 * A ShedLock lock provider that takes its locks with Redlock. The name of a ShedLock lock
 * is also the name of the locked resource. This class is thread-safe.
 * <p>
 * The ttl of the lock is {@code redlock.ttl}, or {@code lockAtMostFor} if
 * {@code lockAtMostFor} is shorter. The lock is renewed until the task is done or
 * {@code lockAtMostFor} is over, so {@code lockAtMostFor} may exceed
 * {@code redlock.max-ttl}. If the process of a running task dies, another process can run
 * the task after the ttl. The Redis servers keep the lock for {@code lockAtLeastFor} even
 * if the process ends. If {@code lockAtLeastFor} exceeds {@code redlock.max-ttl}, a
 * server that lost its data waits for {@code lockAtLeastFor} before it votes on the
 * task's lock. If a running task extends its lock, the Redis servers get to know the new
 * {@code lockAtLeastFor} when the task ends.
 * <p>
 * If another process has the lock, {@link #lock} returns an empty result at once, and the
 * task is skipped. Without a majority of servers, {@link #lock} throws a
 * {@link LockException}, so the task does not run. If several processes ask for the lock
 * at once and none gets a majority, the provider asks a few more times.
 */
public final class RedlockLockProvider implements ExtensibleLockProvider {

	private static final int MOST_TRIES = 5;

	/**
	 * The shortest ttl, which leaves the servers enough time to answer. If
	 * {@code lockAtMostFor} is shorter than this ttl, a timer ends the lease after
	 * {@code lockAtMostFor}.
	 */
	private static final Duration SHORTEST_TTL = Duration.ofSeconds(1);

	/**
	 * The longest time for which a lease is renewed, unless {@code lockAtMostFor} is
	 * longer.
	 */
	private static final Duration LONGEST_HOLD = Duration.ofDays(7);

	/**
	 * By how much the clocks of two processes may differ.
	 */
	private static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(1);

	private static final Duration SLACK = Duration.ofSeconds(5);

	private final Redlock redlock;

	private final Scheduler timers;

	/**
	 * Creates a provider.
	 * @param timers runs the timers that end leases after {@code lockAtMostFor}
	 */
	public RedlockLockProvider(Redlock redlock, Scheduler timers) {
		this.redlock = redlock;
		this.timers = timers;
	}

	/**
	 * Asks for a lock, without waiting until another process releases the lock.
	 * @return the lock; empty if another process has the lock
	 * @throws LockException if there is no majority of servers for or against the lock,
	 * or the thread was interrupted
	 */
	@Override
	public Optional<SimpleLock> lock(LockConfiguration configuration) {
		LockAttempt attempt = attempt(request(configuration), configuration);
		for (int tries = 1; tries < MOST_TRIES && isUndecided(attempt); tries++) {
			pause(configuration);
			attempt = attempt(request(configuration), configuration);
		}
		requireAnswer(attempt, configuration);
		return attempt.lease()
			.filter((lease) -> isRested(lease, configuration))
			.map((lease) -> new ShedLease(lease, ttl(configuration), configuration, this).started());
	}

	Scheduler timers() {
		return this.timers;
	}

	/**
	 * Keeps the task from starting for the given time, even if this process ends. The
	 * caller must have the lock of the task.
	 * @return false if no majority of servers has recorded the time
	 */
	boolean rest(LockConfiguration configuration, Duration time) {
		Tick tick = Tick.atLeast(time, shorter(CLOCK_DIFFERENCE, time.dividedBy(2)));
		Optional<Lease> rest = attempt(restRequest(configuration, tick), configuration).lease();
		rest.ifPresent(Lease::close);
		return rest.isPresent();
	}

	/**
	 * Whether the time is over that an extended lock has set by {@link #rest}. Only the
	 * process with the lock of the task asks, so no other process sets a time meanwhile.
	 */
	private boolean isRested(Lease lease, LockConfiguration configuration) {
		boolean rested = false;
		try {
			LockAttempt asked = attempt(restRequest(configuration, Tick.atLeast(Duration.ZERO, Duration.ZERO)),
					configuration);
			asked.lease().ifPresent(Lease::close);
			rested = asked.lease().isPresent();
			requireAnswer(asked, configuration);
		}
		finally {
			if (!rested) {
				lease.releaseAsync();
			}
		}
		return rested;
	}

	/**
	 * The time is recorded under a name of its own, because the lock on the name of the
	 * task is held.
	 */
	private LockRequest restRequest(LockConfiguration configuration, Tick tick) {
		return LockRequest.of(configuration.getName() + ":rest")
			.withWaitFor(Duration.ZERO)
			.withAwaitReason(true)
			.withTtl(this.redlock.settings().ttl())
			.withTick(tick);
	}

	private static void requireAnswer(LockAttempt attempt, LockConfiguration configuration) {
		attempt.failure()
			.filter((failure) -> failure.reason() != Reason.HELD && failure.reason() != Reason.TICK_TAKEN)
			.ifPresent((failure) -> {
				throw new LockException(
						"The task '" + configuration.getName() + "' does not run. " + failure.getMessage(), failure);
			});
	}

	/**
	 * Returns whether several processes asked for the lock at once, so that perhaps no
	 * process got the lock.
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
	 * Returns whether the Redis key of the lock can last for {@code lockAtLeastFor},
	 * without exceeding {@code redlock.max-ttl}.
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
	 * Acquires the lock asynchronously, because the renewal of a lock from a blocking
	 * call would end with the calling thread.
	 */
	private LockAttempt attempt(LockRequest request, LockConfiguration configuration) {
		CompletableFuture<LockAttempt> attempt = this.redlock.attempt(request).toCompletableFuture();
		Duration nodeTimeout = this.redlock.settings().nodeTimeoutFor(ttl(configuration));
		try {
			return await(attempt, nodeTimeout, configuration.getName());
		}
		catch (LockException ex) {
			// The attempt is cancelled, because a lease that is granted now would be
			// renewed although no task uses the lease.
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
