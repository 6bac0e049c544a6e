package org.example.bills;

import dev.redlock.spring.job.RedLockJob;

import org.springframework.scheduling.annotation.Scheduled;

/**
 * A job class whose name another package has too.
 */
public class NightJobs {

	@Scheduled(cron = "0 0 2 * * SUN", zone = "UTC")
	@RedLockJob("bills:#{#root.target.name()}")
	public void run() {
	}

	public String name() {
		return String.valueOf(System.identityHashCode(this));
	}

}
