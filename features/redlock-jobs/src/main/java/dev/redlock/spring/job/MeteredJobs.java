package dev.redlock.spring.job;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import dev.redlock.spring.job.RedlockJobEvent.Outcome;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;

import org.springframework.beans.factory.DisposableBean;

/**
 * Publishes meters of jobs in this process: a timer of runs for each outcome, the time of
 * the last success, and the time at which the next success is due. All meters of a job
 * exist before its first run, so that monitoring notices the first failure, and a job
 * that never succeeds.
 */
final class MeteredJobs implements JobObserver, DisposableBean {

	private final MeterRegistry registry;

	private final MeterProvider<Timer> ticks;

	private final Map<ScheduledJob, Progress> jobs = new ConcurrentHashMap<>();

	private final Queue<Meter> held = new ConcurrentLinkedQueue<>();

	MeteredJobs(MeterRegistry registry) {
		this.registry = registry;
		this.ticks = Timer.builder("redlock.job")
			.description("Due times at which this process ran or skipped a job, and how long the job ran")
			.withRegistry(registry);
	}

	@Override
	public void created(ScheduledJob job, Instant next) {
		this.jobs.computeIfAbsent(job, this::register).reached(now(), next);
	}

	@Override
	public void ended(ScheduledJob job, RedlockJobEvent event) {
		timer(job, event.outcome()).record(event.duration());
		Progress progress = this.jobs.get(job);
		if (event.outcome() == Outcome.SUCCEEDED && progress != null) {
			progress.reached(now(), event.next());
		}
	}

	/**
	 * Removes the meters of jobs, because another application context may use the meter
	 * registry later.
	 */
	@Override
	public void destroy() {
		this.held.forEach(this.registry::remove);
	}

	private Progress register(ScheduledJob job) {
		for (Outcome outcome : Outcome.values()) {
			timer(job, outcome);
		}
		Progress progress = new Progress();
		register("redlock.job.last.success", progress.success,
				"When the job last succeeded in this process, or when this process started, in seconds since 1970",
				job);
		register("redlock.job.next", progress.next,
				"When the job is due next after its last success in this process, in seconds since 1970", job);
		return progress;
	}

	private void register(String name, AtomicLong millis, String description, ScheduledJob job) {
		this.held.add(TimeGauge.builder(name, millis, TimeUnit.MILLISECONDS, AtomicLong::get)
			.description(description)
			.tags(tags(job))
			.register(this.registry));
	}

	private Timer timer(ScheduledJob job, Outcome outcome) {
		return this.ticks.withTags(tags(job).and("outcome", outcome.name().toLowerCase(Locale.ROOT)));
	}

	private long now() {
		return this.registry.config().clock().wallTime();
	}

	private static Tags tags(ScheduledJob job) {
		return Tags.of("package", job.method().targetClass().getPackageName(), "method", job.method().shortName(),
				"bean", job.bean());
	}

	/**
	 * How far this process has come with a job, in milliseconds since 1970.
	 */
	private static final class Progress {

		private final AtomicLong success = new AtomicLong();

		private final AtomicLong next = new AtomicLong();

		private void reached(long success, Instant next) {
			this.success.set(success);
			this.next.set(next.toEpochMilli());
		}

	}

}
