package dev.redlock.it.recipe;

import java.time.Duration;
import java.time.Instant;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.Tick;
import dev.redlock.spring.template.RedLockOperations;

import org.springframework.scheduling.TaskScheduler;

/**
 * Runs work of any scheduler once per tick.
 */
class OncePerTick {

	private final RedLockOperations locks;

	OncePerTick(RedLockOperations locks) {
		this.locks = locks;
	}

	// region: recipe-own-schedule
	void run(String job, Instant due, Duration interval, Runnable work) {
		try {
			this.locks.execute(LockRequest.of(job).withTick(Tick.at(due.toEpochMilli(), interval)).withRenew(true),
					(lease) -> {
						work.run();
						return null;
					});
		}
		catch (LockNotAcquiredException ex) {
			if (ex.reason() != Reason.TICK_TAKEN) {
				throw ex; // the job may have run nowhere
			}
		}
	}
	// endregion

	void schedule(TaskScheduler scheduler, String job, Duration interval, Runnable work) {
		scheduler.scheduleAtFixedRate(() -> {
			long millis = System.currentTimeMillis();
			Instant due = Instant.ofEpochMilli(millis - millis % interval.toMillis());
			run(job, due, interval, work);
		}, interval);
	}

}
