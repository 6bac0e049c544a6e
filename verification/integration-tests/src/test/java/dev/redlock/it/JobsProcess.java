package dev.redlock.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import dev.redlock.LockAttempt;
import dev.redlock.LockRequest;
import dev.redlock.RedlockListener;
import dev.redlock.RequestListener;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.job.JobsByAnotherClock;
import dev.redlock.spring.job.RedLockJob;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * A host with jobs, whose clock may be wrong. Each run is a line in a file that all hosts
 * share: begin or done, job, tick, host.
 */
final class JobsProcess {

	static final int JOBS = 10;

	static final int RERUN_JOBS = 5;

	private JobsProcess() {
	}

	public static void main(String[] args) throws Exception {
		new SpringApplicationBuilder(Host.class).web(WebApplicationType.NONE).initializers((context) -> {
			GenericApplicationContext beans = (GenericApplicationContext) context;
			for (int i = 0; i < JOBS; i++) {
				String name = "once-" + i;
				beans.registerBean(name, OnceJob.class, () -> new OnceJob(name, beans.getBean(RunLog.class)));
			}
			for (int i = 0; i < RERUN_JOBS; i++) {
				String name = "rerun-" + i;
				beans.registerBean(name, RerunJob.class, () -> new RerunJob(name, beans.getBean(RunLog.class)));
			}
		}).run(args);
		System.out.println("ready");
		Thread.currentThread().join();
	}

	private static void work(int longestMillis) {
		try {
			Thread.sleep(ThreadLocalRandom.current().nextInt(longestMillis));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** The lines of this host. */
	record RunLog(Path file, String host, Clock clock) {

		void write(String what, String job, long tickMillis) {
			String line = what + " " + job + " " + tickMillis + " " + this.host + "\n";
			try {
				Files.write(this.file, line.getBytes(StandardCharsets.UTF_8), StandardOpenOption.CREATE,
						StandardOpenOption.APPEND);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		/** The second in which a job of this host's own scheduler was due. */
		long second() {
			return this.clock.millis() / 1000 * 1000;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableScheduling
	@Import(JobsByAnotherClock.class)
	static class Host {

		@Bean
		static Clock clock(@Value("${jobs.clock}") Duration offset) {
			return Clock.offset(Clock.systemUTC(), offset);
		}

		@Bean
		ThreadPoolTaskScheduler taskScheduler(Clock clock) {
			ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
			scheduler.setPoolSize(2 * (JOBS + RERUN_JOBS));
			scheduler.setClock(clock);
			scheduler.setErrorHandler((failure) -> {
			});
			return scheduler;
		}

		@Bean
		RunLog log(@Value("${jobs.file}") Path file, @Value("${jobs.host}") String host, Clock clock) {
			return new RunLog(file, host, clock);
		}

		@Bean
		RedlockListener begins(RunLog log) {
			return new RedlockListener() {
				@Override
				public boolean isQuick() {
					return true;
				}

				@Override
				public RequestListener requested(LockRequest request) {
					return (request.tick() == null) ? null : new RequestListener() {
						@Override
						public void ended(LockAttempt attempt) {
							if (attempt.lease().isPresent()) {
								log.write("begin", request.resources().get(0),
										TimeUnit.MICROSECONDS.toMillis(request.tick().dueMicros()));
							}
						}
					};
				}
			};
		}

		@Bean
		PlainJob plainJob(RunLog log) {
			return new PlainJob(log);
		}

	}

	static class OnceJob {

		private final String name;

		private final RunLog log;

		OnceJob(String name, RunLog log) {
			this.name = name;
			this.log = log;
		}

		public String name() {
			return this.name;
		}

		@Scheduled(cron = "* * * * * *", zone = "UTC")
		@RedLockJob("#{#root.target.name()}")
		public void run() {
			work(120);
			this.log.write("done", this.name, 0);
		}

	}

	static class RerunJob {

		private final String name;

		private final RunLog log;

		RerunJob(String name, RunLog log) {
			this.name = name;
			this.log = log;
		}

		public String name() {
			return this.name;
		}

		@Scheduled(cron = "*/10 * * * * *", zone = "UTC")
		@RedLockJob(value = "#{#root.target.name()}", onCrash = RedLockJob.OnCrash.RERUN)
		public void run() {
			work(1_000);
			this.log.write("done", this.name, 0);
		}

	}

	static class PlainJob {

		private final RunLog log;

		PlainJob(RunLog log) {
			this.log = log;
		}

		@Scheduled(cron = "* * * * * *", zone = "UTC")
		@RedLock(resource = "plain", waitFor = "0", atLeast = "100ms", onFailure = RedLock.OnFailure.SKIP)
		public void run() {
			this.log.write("begin", "plain", this.log.second());
			work(120);
		}

	}

}
