package dev.redlock.spring.job;

import java.util.concurrent.CompletableFuture;

import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Jobs that keep an application from starting.
 */
final class JobMistakes {

	private JobMistakes() {
	}

	static class JobWithoutSchedule {

		@RedLockJob("job")
		public void run() {
		}

	}

	static class JobOfTwoSchedules {

		@Scheduled(cron = "0 0 2 * * *", zone = "UTC")
		@Scheduled(cron = "0 0 3 * * *", zone = "UTC")
		@RedLockJob("job")
		public void run() {
		}

	}

	static class JobWithFixedDelay {

		@Scheduled(fixedDelay = 1000)
		@RedLockJob("job")
		public void run() {
		}

	}

	static class JobThatRunsOnce {

		@Scheduled(initialDelay = 1000)
		@RedLockJob("job")
		public void run() {
		}

	}

	static class JobWithoutZone {

		@Scheduled(cron = "0 0 2 * * *")
		@RedLockJob("job")
		public void run() {
		}

	}

	static class JobInUnknownZone {

		@Scheduled(cron = "0 0 2 * * *", zone = "Middle/Earth")
		@RedLockJob("job")
		public void run() {
		}

	}

	static class JobOfNoDate {

		@Scheduled(cron = "0 0 2 30 2 *", zone = "UTC")
		@RedLockJob("job")
		public void run() {
		}

	}

	static class JobThatReturnsFuture {

		@Scheduled(fixedRate = 1000)
		@RedLockJob("job")
		public CompletableFuture<Void> run() {
			return CompletableFuture.completedFuture(null);
		}

	}

	static class JobThatReturnsInt {

		@Scheduled(fixedRate = 1000)
		@RedLockJob("job")
		public int run() {
			return 1;
		}

	}

	static class LatestOfARate {

		@Scheduled(fixedRate = 1000)
		@RedLockJob(value = "job", missed = RedLockJob.Missed.LATEST)
		public void run() {
		}

	}

	static class LatestWithoutHistory {

		@Scheduled(cron = "0 0 * * * *", zone = "UTC")
		@RedLockJob(value = "job", missed = RedLockJob.Missed.LATEST)
		public void run() {
		}

	}

	static class RetriedJob {

		@Scheduled(fixedRate = 1000)
		@Retryable
		@RedLockJob("job")
		public void run() {
		}

	}

	static class JobWithSpringRetry {

		@Scheduled(fixedRate = 1000)
		@org.springframework.retry.annotation.Retryable
		@RedLockJob("job")
		public void run() {
		}

	}

	static class TwoJobsOfOneName {

		@Scheduled(fixedRate = 1000)
		@RedLockJob("job")
		public void one() {
		}

		@Scheduled(fixedRate = 2000)
		@RedLockJob("job")
		public void two() {
		}

	}

	static class JobWithVeryDifferentClocks {

		@Scheduled(fixedRate = 1000)
		@RedLockJob("job")
		public void run() {
		}

	}

}
