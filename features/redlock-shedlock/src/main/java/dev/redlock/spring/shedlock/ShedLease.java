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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A ShedLock lock that is renewed until the task unlocks it or {@code lockAtMostFor} is
 * over.
 */
final class ShedLease extends AbstractSimpleLock {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.lease");

	private final Lease lease;

	private final Duration ttl;

	private final Scheduler timers;

	private final boolean extended;

	private volatile boolean overdue;

	private volatile Scheduler.Timeout end = () -> {
	};

	private ShedLease(Lease lease, Duration ttl, LockConfiguration configuration, Scheduler timers, boolean extended) {
		super(configuration);
		this.lease = lease;
		this.ttl = ttl;
		this.timers = timers;
		this.extended = extended;
	}

	static ShedLease start(Lease lease, Duration ttl, LockConfiguration configuration, Scheduler timers) {
		return new ShedLease(lease, ttl, configuration, timers, false).started();
	}

	@Override
	protected void doUnlock() {
		this.end.cancel();
		if (!this.lease.isValid() && !this.overdue) {
			logger.warn("The lock on the task '{}' was lost before the task was done ({}): another process may have "
					+ "run the task at the same time", name(), reason());
		}
		Duration keep = stillToKeep();
		if (keep.compareTo(Duration.ZERO) > 0) {
			this.timers.schedule(keep, this.lease::releaseAsync);
		}
		else {
			this.lease.close();
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
		return Optional.of(new ShedLease(this.lease, this.ttl, configuration, this.timers, true).started());
	}

	private ShedLease started() {
		this.end = this.timers.schedule(this.lockConfiguration.getLockAtMostFor(), this::end);
		return this;
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
	 * Returns how long this process must still keep an extended lock, because the servers
	 * do not know its new {@code lockAtLeastFor}.
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
