package dev.redlock.it.migration;

import dev.redlock.CurrentLease;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.annotation.RedLock.OnFailure;
import dev.redlock.spring.annotation.RedLock.Renew;
import dev.redlock.spring.job.RedLockJob;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;

import org.springframework.scheduling.annotation.Scheduled;

/**
 * A job of ShedLock as it was, and as it is without ShedLock.
 */
class NightJobs {

	private final Ledger ledger;

	NightJobs(Ledger ledger) {
		this.ledger = ledger;
	}

	@Scheduled(cron = "0 0 3 * * *")
	@SchedulerLock(name = "night-run", lockAtMostFor = "2h", lockAtLeastFor = "30s")
	public void nightRun() {
		this.ledger.write("night run");
	}

	@Scheduled(cron = "0 0 3 * * *", zone = "UTC")
	@RedLockJob(value = "close-day", maxHold = "2h")
	public void closeDay() {
		this.ledger.write("close day", CurrentLease.require().fence());
	}

	@Scheduled(cron = "0 0 4 * * *")
	@RedLock(resource = "early-run", waitFor = "1s", atLeast = "30s", renew = Renew.ON, maxHold = "2h",
			onFailure = OnFailure.SKIP)
	public void earlyRun() {
		this.ledger.write("early run", CurrentLease.require().fence());
	}

}
