package dev.redlock.spring.job;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.CurrentLease;
import dev.redlock.LockLostException;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.autoconfigure.RedlockAnnotationAutoConfiguration;
import dev.redlock.spring.job.RedLockJob.OnCrash;
import dev.redlock.spring.job.RedlockJobEvent.Outcome;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.config.ScheduledTaskHolder;
import org.springframework.scheduling.support.ScheduledMethodRunnable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The same jobs on two hosts whose clocks differ. The test calls them in place of
 * Spring's scheduler.
 */
@ExtendWith(OutputCaptureExtension.class)
class OncePerTickTests {

	private final LockWorld world = new LockWorld();

	private final Host one = new Host("one", this.world.redlock, Duration.ZERO);

	private final Host two = new Host("two", this.world.other, Duration.ofMinutes(-24));

	private final List<String> runs = new ArrayList<>();

	@AfterEach
	void stop() {
		this.one.context.close();
		this.two.context.close();
	}

	@Test
	void whateverTheClocksSayEachTickRunsOnce() {
		for (int hour = 0; hour < 50; hour++) {
			atTheHour();
			this.one.jobs.hourly();
			this.world.time.advance(Duration.ofMinutes(24));
			this.two.jobs.hourly();
			assertThat(this.runs).hasSize(hour + 1);
		}
		assertThat(this.runs).containsOnly("one");
		assertThat(this.two.outcomes()).containsOnly(Outcome.TAKEN).hasSize(50);
	}

	@Test
	void aJobThatIsCalledByHandSaysThatItsTickIsTaken(CapturedOutput output) {
		atTheHour();
		this.one.jobs.hourly();
		this.one.jobs.hourly();
		assertThat(this.runs).containsExactly("one");
		assertThat(output).containsPattern("INFO .*The job hourly has not run: another call or process has taken its "
				+ "run that was due at \\S+:00:00Z, and the next run is due at \\S+:00:00Z");
	}

	@Test
	void aTickThatTheSchedulerFindsTakenIsNoLineOfTheLog(CapturedOutput output) throws NoSuchMethodException {
		atTheHour();
		this.one.jobs.hourly();
		new ScheduledMethodRunnable(this.one.jobs, "hourly").run();
		assertThat(this.one.outcomes()).containsExactly(Outcome.SUCCEEDED, Outcome.TAKEN);
		assertThat(output).doesNotContain("INFO");
	}

	@Test
	void withRerunATickThatTheSchedulerFindsTakenIsNoLineOfTheLog(CapturedOutput output) throws NoSuchMethodException {
		atTheHour();
		this.two.clockIsRight();
		ScheduledMethodRunnable call = new ScheduledMethodRunnable(this.two.jobs, "important");
		this.one.during = call::run;
		this.one.jobs.important();
		this.world.time.advance(Duration.ofSeconds(1));
		assertThat(this.two.outcomes()).containsExactly(Outcome.TAKEN);
		assertThat(output).doesNotContain("INFO");
	}

	@Test
	void aHostWhoseContextStopsTakesNoMoreTicks() {
		this.two.clockIsRight();
		atTheHour();
		this.one.during = () -> {
			this.one.context.stop();
			this.one.jobs.quiet();
		};
		this.one.jobs.hourly();
		this.two.jobs.quiet();
		assertThat(this.runs).as("the job that runs ends, and the next tick is left to the other host")
			.containsExactly("one", "two");
		assertThat(this.one.outcomes()).doesNotContain(Outcome.LOST, Outcome.FAILED);
	}

	@Test
	void aPlainLockRunsEachTickTwice() {
		for (int hour = 0; hour < 10; hour++) {
			atTheHour();
			this.one.jobs.plain();
			this.world.time.advance(Duration.ofMinutes(24));
			this.two.jobs.plain();
		}
		assertThat(this.runs).hasSize(20);
	}

	@Test
	void aFixedRateRunsOncePerTickOnBothHostsTogether() {
		for (int second = 0; second < 20; second++) {
			this.world.time.advance(Duration.ofMillis(600));
			this.one.jobs.everySecond();
			this.world.time.advance(Duration.ofMillis(400));
			this.two.jobs.everySecond();
		}
		assertThat(this.runs).hasSizeBetween(19, 21).containsOnly("one");
	}

	@Test
	void aJobThatThrowsIsNotRunAgain() {
		atTheHour();
		this.one.failure = new IllegalStateException("of the job");
		assertThatIllegalStateException().isThrownBy(this.one.jobs::hourly).withMessage("of the job");
		this.two.jobs.hourly();
		assertThat(this.runs).containsExactly("one");
		assertThat(this.one.outcomes()).containsExactly(Outcome.FAILED);
		assertThat(this.one.events.get(0).error()).hasMessage("of the job");
	}

	@Test
	void aMeterThatFailsDoesNotMakeTheJobFail() {
		atTheHour();
		this.one.context.getBean(JobExtension.class).observe(new JobObserver() {

			@Override
			public void created(ScheduledJob job, Instant next) {
			}

			@Override
			public void ended(ScheduledJob job, RedlockJobEvent event) {
				throw new IllegalStateException("of a meter");
			}

		});
		this.one.jobs.hourly();
		assertThat(this.one.outcomes()).containsExactly(Outcome.SUCCEEDED);
	}

	@Test
	void anEventTellsTheTickAndTheFence() {
		atTheHour();
		this.one.jobs.hourly();
		RedlockJobEvent event = this.one.events.get(0);
		assertThat(event.outcome()).isEqualTo(Outcome.SUCCEEDED);
		assertThat(event.job()).isEqualTo("hourly");
		assertThat(event.method()).endsWith("Jobs.hourly");
		assertThat(event.due()).isEqualTo(this.one.clock().instant());
		assertThat(event.next()).isEqualTo(event.due().plus(Duration.ofHours(1)));
		assertThat(event.fence()).isPositive();
		assertThat(this.one.starts).containsExactly(
				new RedlockJobStartEvent("hourly", event.method(), event.due(), event.next(), event.fence()));
	}

	@Test
	void aTickThatOverlapsWithAnEarlierOneIsToldAndSkipped() {
		atTheHour();
		this.one.during = () -> {
			atTheHour();
			this.two.clockIsRight();
			this.two.jobs.impatient();
		};
		this.one.jobs.impatient();
		assertThat(this.runs).containsExactly("one");
		assertThat(this.two.outcomes()).containsExactly(Outcome.OVERLAPPED);
	}

	@Test
	void withoutAQuorumTheTickIsToldAndThrows() {
		atTheHour();
		this.world.nodes.subList(0, 2).forEach(InMemoryNode::down);
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(this.one.jobs::impatient);
		assertThat(this.one.outcomes()).containsExactly(Outcome.UNDECIDED);
		this.world.nodes.forEach(InMemoryNode::up);
		this.two.clockIsRight();
		this.two.jobs.impatient();
		assertThat(this.runs).containsExactly("two");
	}

	@Test
	void withSkipAlwaysAMissingQuorumIsLoggedOnceAndThrowsNothing(CapturedOutput output) {
		atTheHour();
		this.world.nodes.subList(0, 2).forEach(InMemoryNode::down);
		this.one.jobs.quiet();
		assertThat(this.one.outcomes()).containsExactly(Outcome.UNDECIDED);
		assertThat(output).containsOnlyOnce("quiet()").doesNotContain("job quiet");
	}

	@Test
	void withRerunAMissingQuorumIsLoggedAtOnceAndTheJobRunsWhenItIsBack(CapturedOutput output) {
		atTheHour();
		this.world.nodes.subList(0, 2).forEach(InMemoryNode::down);
		this.one.jobs.important();
		assertThat(output).containsPattern("The job important, due at \\S+, has not started\\..*NO_QUORUM");
		this.world.nodes.forEach(InMemoryNode::up);
		this.world.time.advance(Duration.ofSeconds(10));
		assertThat(this.runs).containsExactly("one");
	}

	@Test
	void aJobThatIsCalledUnderItsOwnLockIsRefused() {
		atTheHour();
		RedLockTemplate template = this.one.context.getBean(RedLockTemplate.class);
		assertThatIllegalStateException()
			.isThrownBy(() -> template.execute(LockRequest.of("hourly").withWaitFor(Duration.ZERO), (lease) -> {
				this.one.jobs.hourly();
				return null;
			}))
			.withMessageContaining("holds the lock of the job");
		assertThat(this.runs).isEmpty();
	}

	@Test
	void withRerunAHostThatWasRefusedTakesOverFromOneThatDies() {
		atTheHour();
		this.two.clockIsRight();
		this.one.during = () -> {
			this.two.jobs.important();
			assertThat(this.runs).containsExactly("one");
			this.world.redlock.close();
			this.world.time.advance(LockWorld.TOO_LONG);
			assertThat(this.runs).containsExactly("one", "two");
		};
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.one.jobs::important);
		assertThat(this.two.outcomes()).containsExactly(Outcome.SUCCEEDED);
	}

	@Test
	void withRerunAHostThatStandsByIsNoWaiter() {
		atTheHour();
		this.two.clockIsRight();
		this.one.during = () -> {
			this.two.jobs.important();
			assertThat(this.world.other.waiters()).isEmpty();
		};
		this.one.jobs.important();
	}

	@Test
	void withRerunAHostThatWasRefusedStopsWhenTheTickIsDone() {
		atTheHour();
		this.two.clockIsRight();
		this.one.during = this.two.jobs::important;
		this.one.jobs.important();
		this.world.time.advance(Duration.ofSeconds(1));
		assertThat(this.runs).containsExactly("one");
		assertThat(this.two.outcomes()).containsExactly(Outcome.TAKEN);
	}

	@Test
	void withRerunAHostThatWasRefusedStopsWhenTheNextTickIsDue() {
		atTheHour();
		this.two.clockIsRight();
		this.one.during = () -> {
			passes(Duration.ofMinutes(50));
			this.two.jobs.lengthy();
			passes(Duration.ofMinutes(20));
			this.world.redlock.close();
			passes(Duration.ofMinutes(10));
		};
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.one.jobs::lengthy);
		assertThat(this.runs).containsExactly("one");
		assertThat(this.two.outcomes()).containsExactly(Outcome.OVERLAPPED);
	}

	@Test
	void withRerunAMissingQuorumThatLastsUntilTheNextTickIsLogged(CapturedOutput output) {
		atTheHour();
		this.two.clockIsRight();
		this.one.during = () -> {
			this.two.jobs.lengthy();
			this.world.nodes.subList(0, 2).forEach(InMemoryNode::down);
			passes(Duration.ofMinutes(61));
		};
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.one.jobs::lengthy);
		assertThat(this.two.outcomes()).containsExactly(Outcome.UNDECIDED);
		assertThat(output).contains("The job lengthy, due at ", ", did not run in this process. ", "NO_QUORUM");
	}

	@Test
	void withRerunALossInterruptsAlsoTheHostThatTookOver() {
		atTheHour();
		this.two.clockIsRight();
		AtomicBoolean interrupted = new AtomicBoolean();
		this.two.during = () -> {
			// The loss of the first host has interrupted this thread, which both share.
			assertThat(Thread.interrupted()).isTrue();
			this.world.other.revoke("urgent");
			interrupted.set(Thread.currentThread().isInterrupted());
		};
		this.one.during = () -> {
			this.two.jobs.urgent();
			this.world.redlock.close();
			this.world.time.advance(LockWorld.TOO_LONG);
		};
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this.one.jobs::urgent);
		assertThat(this.runs).containsExactly("one", "two");
		assertThat(interrupted).as("the host that took over was interrupted").isTrue();
		assertThat(this.two.outcomes()).containsExactly(Outcome.FAILED);
		assertThat(Thread.interrupted()).isFalse();
	}

	private void passes(Duration time) {
		for (int second = 0; second < time.toSeconds(); second++) {
			this.world.time.advance(Duration.ofSeconds(1));
		}
	}

	/**
	 * Lets the time go on to the next full hour.
	 */
	private void atTheHour() {
		long hour = TimeUnit.HOURS.toMicros(1);
		long left = hour - this.world.time.epochMicros() % hour;
		this.world.time.advance(Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(left)));
	}

	private final class Host {

		private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

		private final String name;

		private final Jobs jobs;

		private final List<RedlockJobEvent> events = new ArrayList<>();

		private final List<RedlockJobStartEvent> starts = new ArrayList<>();

		private Duration offset;

		private Runnable during = () -> {
		};

		private RuntimeException failure;

		private Host(String name, Redlock redlock, Duration offset) {
			this.name = name;
			this.offset = offset;
			this.context.registerBean(Redlock.class, () -> redlock,
					(definition) -> definition.setDestroyMethodName(""));
			this.context.registerBean(RedLockTemplate.class, () -> new RedLockTemplate(redlock, Runnable::run));
			this.context.registerBean(JobExtension.class,
					() -> new JobExtension(this.context.getBeanFactory(), this.context::publishEvent, clock()));
			this.context.registerBean("tasks", ScheduledTaskHolder.class, () -> Set::of);
			this.context.registerBean(Jobs.class, () -> new Jobs(this::run));
			this.context.registerBean(Events.class, () -> new Events(this.events, this.starts));
			this.context.register(RedlockAnnotationAutoConfiguration.class, RedlockJobAutoConfiguration.class);
			this.context.refresh();
			this.jobs = this.context.getBean(Jobs.class);
		}

		private void clockIsRight() {
			this.offset = Duration.ZERO;
		}

		private void run() {
			assertThat(CurrentLease.get()).isPresent();
			OncePerTickTests.this.runs.add(this.name);
			this.during.run();
			if (this.failure != null) {
				throw this.failure;
			}
		}

		private List<Outcome> outcomes() {
			return this.events.stream().map(RedlockJobEvent::outcome).toList();
		}

		private Clock clock() {
			Clock world = OncePerTickTests.this.world.clock();
			InstantSource source = () -> world.instant().plus(this.offset);
			return source.withZone(world.getZone());
		}

	}

	static class Events {

		private final List<RedlockJobEvent> events;

		private final List<RedlockJobStartEvent> starts;

		Events(List<RedlockJobEvent> events, List<RedlockJobStartEvent> starts) {
			this.events = events;
			this.starts = starts;
		}

		@EventListener
		void heard(RedlockJobStartEvent event) {
			assertThat(CurrentLease.get()).isPresent();
			this.starts.add(event);
		}

		@EventListener
		void heard(RedlockJobEvent event) {
			this.events.add(event);
		}

	}

	static class Jobs {

		private final Runnable work;

		Jobs(Runnable work) {
			this.work = work;
		}

		@Scheduled(cron = "0 0 * * * *", zone = "UTC")
		@RedLockJob("hourly")
		public void hourly() {
			this.work.run();
		}

		@Scheduled(cron = "0 0 * * * *", zone = "UTC")
		@RedLockJob(value = "impatient", waitFor = "0", maxHold = "2h")
		public void impatient() {
			this.work.run();
		}

		@Scheduled(cron = "0 0 * * * *", zone = "UTC")
		@RedLockJob(value = "quiet", waitFor = "0", onFailure = RedLock.OnFailure.SKIP_ALWAYS)
		public void quiet() {
			this.work.run();
		}

		@Scheduled(cron = "0 0 * * * *", zone = "UTC")
		@RedLockJob(value = "important", onCrash = OnCrash.RERUN)
		public void important() {
			this.work.run();
		}

		@Scheduled(cron = "0 0 * * * *", zone = "UTC")
		@RedLockJob(value = "lengthy", onCrash = OnCrash.RERUN, maxHold = "5h")
		public void lengthy() {
			this.work.run();
		}

		@Scheduled(cron = "0 0 * * * *", zone = "UTC")
		@RedLockJob(value = "urgent", onCrash = OnCrash.RERUN, onLoss = RedLock.OnLoss.INTERRUPT)
		public void urgent() {
			this.work.run();
		}

		@Scheduled(fixedRate = 1, timeUnit = TimeUnit.SECONDS)
		@RedLockJob("every-second")
		public void everySecond() {
			this.work.run();
		}

		@Scheduled(cron = "0 0 * * * *", zone = "UTC")
		@RedLock(resource = "plain", waitFor = "0", onFailure = RedLock.OnFailure.SKIP, atLeast = "30s")
		public void plain() {
			this.work.run();
		}

	}

}
