package dev.redlock.spring.shedlock;

import java.time.Duration;
import java.util.Optional;

import dev.redlock.Lease;
import dev.redlock.LossReason;
import dev.redlock.spi.Scheduler;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A ShedLock lock that is renewed until the task unlocks it or {@code lockAtMostFor} is
 * over.
 */
final class ShedLease extends AbstractSimpleLock {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.lease");

	/** A shorter time is over before the servers have heard of it. */
	private static final Duration MEASURABLE = Duration.ofMillis(1);

	private final Lease lease;

	private final Duration ttl;

	private final RedlockLockProvider provider;

	private final boolean extended;

	private volatile boolean overdue;

	private volatile Scheduler.Timeout end = () -> {
	};

	ShedLease(Lease lease, Duration ttl, LockConfiguration configuration, RedlockLockProvider provider) {
		this(lease, ttl, configuration, provider, false);
	}

	private ShedLease(Lease lease, Duration ttl, LockConfiguration configuration, RedlockLockProvider provider,
			boolean extended) {
		super(configuration);
		this.lease = lease;
		this.ttl = ttl;
		this.provider = provider;
		this.extended = extended;
	}

	ShedLease started() {
		this.end = this.provider.timers().schedule(this.lockConfiguration.getLockAtMostFor(), this::end);
		return this;
	}

	@Override
	protected void doUnlock() {
		this.end.cancel();
		if (!this.lease.isValid() && !this.overdue) {
			logger.warn("The lock on the task '{}' was lost before the task was done ({}): another process may have "
					+ "run the task at the same time", name(), reason());
		}
		Duration keep = stillToKeep();
		if (keep.compareTo(MEASURABLE) > 0) {
			rest(keep);
			this.provider.timers().schedule(keep, this.lease::releaseAsync);
		}
		else {
			this.lease.close();
		}
	}

	/**
	 * Lets the servers keep the task from starting, in case this process ends before the
	 * given time is over.
	 */
	private void rest(Duration time) {
		boolean recorded = false;
		try {
			recorded = this.provider.rest(this.lockConfiguration, time);
		}
		catch (LockException ex) {
			logger.debug("The task '{}' cannot rest", name(), ex);
		}
		if (!recorded) {
			logger.warn("Too few servers know the extended lockAtLeastFor of the task '{}': if this process ends within"
					+ " {}, another process may run the task early", name(), time);
		}
	}

	/**
	 * If no majority of servers extends the lease now, the failure is ignored, because
	 * the lease is renewed anyway.
	 */
	@Override
	protected Optional<SimpleLock> doExtend(LockConfiguration configuration) {
		if (!ClockProvider.now().isBefore(this.lockConfiguration.getLockAtMostUntil())) {
			return Optional.empty();
		}
		this.lease.extend(this.ttl);
		this.end.cancel();
		if (!this.lease.isValid()) {
			return Optional.empty();
		}
		return Optional.of(new ShedLease(this.lease, this.ttl, configuration, this.provider, true).started());
	}

	private void end() {
		this.overdue = true;
		if (this.lease.isValid()) {
			logger.warn(
					"The task '{}' still runs, but its lockAtMostFor of {} is over: its lock is released, and"
							+ " another process may run the task from now on",
					name(), this.lockConfiguration.getLockAtMostFor());
		}
		this.lease.releaseAsync();
	}

	/**
	 * Returns how long an extended lock must still be kept, because the servers do not
	 * know its new {@code lockAtLeastFor} yet.
	 */
	private Duration stillToKeep() {
		if (!this.extended || !this.lease.isValid()) {
			return Duration.ZERO;
		}
		return Duration.between(ClockProvider.now(), this.lockConfiguration.getLockAtLeastUntil());
	}

	private String name() {
		return this.lockConfiguration.getName();
	}

	private LossReason reason() {
		return this.lease.lost().toCompletableFuture().getNow(LossReason.EXPIRED);
	}

}
