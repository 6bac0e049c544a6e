package dev.redlock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

import dev.redlock.spring.job.RedlockJobEvent.Outcome;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

class MeteredJobsTests {

	private final MockClock clock = new MockClock();

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, this.clock);

	private final MeteredJobs meters = new MeteredJobs(this.registry);

	@Test
	void ticksAreTimedByTheirOutcomeAndNameNoResource() {
		tick(Outcome.SUCCEEDED, 3);
		tick(Outcome.TAKEN, 0);
		tick(Outcome.TAKEN, 0);
		assertThat(ticks("succeeded").totalTime(TimeUnit.SECONDS)).isEqualTo(3);
		assertThat(ticks("taken").count()).isEqualTo(2);
		assertThat(this.registry.getMeters().toString()).doesNotContain("night-run");
	}

	@Test
	void theLastSuccessIsToldAndAFailureDoesNotChangeIt() {
		assertThat(this.registry.find("redlock.job.last.success").meter()).isNull();
		this.clock.add(Duration.ofHours(1));
		tick(Outcome.SUCCEEDED, 3);
		double success = lastSuccess();
		assertThat(success).isEqualTo(this.clock.wallTime() / 1000.0);
		this.clock.add(Duration.ofHours(1));
		tick(Outcome.FAILED, 3);
		assertThat(lastSuccess()).isEqualTo(success);
		tick(Outcome.SUCCEEDED, 3);
		assertThat(lastSuccess()).isEqualTo(success + 3600);
	}

	@Test
	void aContextThatIsClosedTakesItsValuesAlong() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.registerBean(MeteredJobs.class, () -> new MeteredJobs(this.registry));
			context.refresh();
			context.publishEvent(event(Outcome.SUCCEEDED, 3));
			assertThat(this.registry.find("redlock.job.last.success").meter()).isNotNull();
		}
		assertThat(this.registry.getMeters()).extracting((meter) -> meter.getId().getName())
			.containsExactly("redlock.job");
	}

	private void tick(Outcome outcome, int seconds) {
		this.meters.ended(event(outcome, seconds));
	}

	private static RedlockJobEvent event(Outcome outcome, int seconds) {
		return new RedlockJobEvent("night-run", "Jobs.nightRun", Instant.EPOCH, Instant.EPOCH.plusSeconds(60), outcome,
				7, Duration.ofSeconds(seconds), null);
	}

	private Timer ticks(String outcome) {
		return this.registry.get("redlock.job").tag("method", "Jobs.nightRun").tag("outcome", outcome).timer();
	}

	private double lastSuccess() {
		return this.registry.get("redlock.job.last.success").timeGauge().value(TimeUnit.SECONDS);
	}

}
