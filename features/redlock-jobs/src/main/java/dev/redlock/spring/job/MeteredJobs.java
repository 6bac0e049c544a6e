package dev.redlock.spring.job;

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
import org.springframework.context.event.EventListener;

/**
 * Publishes meters of jobs in this process: a timer of runs for each outcome, and the
 * time of the last success.
 */
final class MeteredJobs implements DisposableBean {

	private final MeterRegistry registry;

	private final MeterProvider<Timer> ticks;

	private final Map<String, AtomicLong> successes = new ConcurrentHashMap<>();

	private final Queue<Meter> held = new ConcurrentLinkedQueue<>();

	MeteredJobs(MeterRegistry registry) {
		this.registry = registry;
		this.ticks = Timer.builder("redlock.job")
			.description("Due times at which this process ran or skipped a job, and how long the job ran")
			.withRegistry(registry);
	}

	@EventListener
	void ended(RedlockJobEvent event) {
		String outcome = event.outcome().name().toLowerCase(Locale.ROOT);
		this.ticks.withTags(Tags.of("method", event.method(), "outcome", outcome)).record(event.duration());
		if (event.outcome() == Outcome.SUCCEEDED) {
			this.successes.computeIfAbsent(event.method(), this::register)
				.set(this.registry.config().clock().wallTime());
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

	private AtomicLong register(String method) {
		AtomicLong millis = new AtomicLong();
		this.held.add(TimeGauge.builder("redlock.job.last.success", millis, TimeUnit.MILLISECONDS, AtomicLong::get)
			.description("When the job last succeeded in this process, in seconds since 1970")
			.tag("method", method)
			.register(this.registry));
		return millis;
	}

}
