package dev.redlock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import dev.redlock.Lease;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.Tick;
import dev.redlock.spring.interceptor.AnnotatedMethod;
import dev.redlock.spring.interceptor.LockedMethodExtension;
import dev.redlock.spring.job.RedlockJobEvent.Outcome;
import dev.redlock.spring.template.RedLockOperations;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.scheduling.support.ScheduledMethodRunnable;

/**
 * Runs a job method once per scheduled time (tick), and publishes the outcome of each
 * tick.
 * <p>
 * With {@code onCrash = RERUN}, this process waits in the background while another
 * process runs a tick. If the process that runs a tick dies, a waiting process runs the
 * tick again.
 */
final class JobRunner implements LockedMethodExtension.Runner {

	private static final Logger logger = LoggerFactory.getLogger(JobExtension.class);

	private final AnnotatedMethod method;

	private final JobSchedule schedule;

	private final JobExtension jobs;

	private final Consumer<Object> events;

	/** The names of the beans that have the job method. */
	private final Set<String> beans = new CopyOnWriteArraySet<>();

	JobRunner(AnnotatedMethod method, JobSchedule schedule, JobExtension jobs, Consumer<Object> events) {
		this.method = method;
		this.schedule = schedule;
		this.jobs = jobs;
		this.events = events;
	}

	@Override
	public void created(String bean, @Nullable String resource) {
		this.beans.add(bean);
		this.jobs.created(bean, resource, this.method, this.schedule);
	}

	@Override
	@SuppressWarnings("NullAway") // The type parameter of a callback allows null.
	public @Nullable Object run(RedLockOperations operations, LockRequest request, LockedMethodExtension.Call call)
			throws Throwable {
		Run run = new Run(request.withTick(this.schedule.currentTick(this.method)),
				this.jobs.nameOf(call.bean(), this.beans));
		if (!this.jobs.isRunning()) {
			return notRun(operations, run, run.shuttingDown(), call);
		}
		LockRequest first = run.tick.rerun() ? run.request.withWaitFor(Duration.ZERO) : run.request;
		try {
			Object result = operations.<@Nullable Object>execute(first, (lease) -> run.begin(lease, call));
			run.ended(null);
			return result;
		}
		catch (Throwable ex) {
			if (run.began() || !(ex instanceof LockNotAcquiredException refusal)) {
				run.ended(ex);
				throw ex;
			}
			return notRun(operations, run, refusal, call);
		}
	}

	private @Nullable Object notRun(RedLockOperations operations, Run run, LockNotAcquiredException refusal,
			LockedMethodExtension.Call call) throws Throwable {
		if (run.tick.rerun() && mayChange(refusal.reason())) {
			if (refusal.reason() == Reason.NO_QUORUM) {
				logger.warn("The job {}, due at {}, has not started. This process tries to start the job until {}. {}",
						run.job, run.due(), run.next(), refusal.getMessage());
			}
			waitInBackground(operations, run, call.copy());
			return call.skip();
		}
		run.refused(refusal);
		Object answer = (refusal.reason() == Reason.TICK_TAKEN) ? call.skip() : call.answer(refusal);
		// If call.answer(…) throws, the scheduler logs the exception. If call.answer(…)
		// skips a refusal without a known holder, it warns of that itself, at most once a
		// minute.
		run.logRefusal(refusal);
		return answer;
	}

	/**
	 * Waits without blocking a thread while another process runs the tick, at most until
	 * the next tick is due.
	 */
	private void waitInBackground(RedLockOperations operations, Run run, LockedMethodExtension.Call call) {
		Duration left = Duration.between(this.schedule.clock().instant(), run.next());
		LockRequest standby = run.request.withStandby(true).withWaitFor(left.isNegative() ? Duration.ZERO : left);
		CompletableFuture<?> ended = operations.executeAsync(standby, (lease) -> {
			run.begin(lease, call);
			return CompletableFuture.completedFuture(null);
		});
		run.waitsFor(ended);
		ended.whenComplete((nothing, failure) -> {
			this.jobs.waiting().remove(run);
			Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : failure;
			if (!run.began() && cause instanceof LockNotAcquiredException refusal) {
				run.refused(refusal);
				run.logRefusal(refusal);
				if (refusal.reason() != Reason.TICK_TAKEN && refusal.reason() != Reason.HELD) {
					logger.warn("The job {}, due at {}, did not run in this process. {}", run.job, run.due(),
							refusal.getMessage());
				}
				return;
			}
			run.ended(cause);
			if (cause != null) {
				// The exception of a job that ran in the background is logged here,
				// because no scheduler receives the exception.
				logger.error("The job {} failed", this.method, cause);
			}
		});
	}

	/**
	 * Whether Spring's scheduler has called the job, and not the application itself.
	 */
	private static boolean isCalledByScheduler() {
		String scheduled = ScheduledMethodRunnable.class.getName();
		return StackWalker.getInstance()
			.walk((frames) -> frames.anyMatch((frame) -> frame.getClassName().equals(scheduled)));
	}

	private static boolean mayChange(Reason reason) {
		return switch (reason) {
			case TICK_TAKEN, TICK_LOST, INTERRUPTED, SHUTTING_DOWN -> false;
			default -> true;
		};
	}

	/**
	 * The attempt of this process to run one tick of the job.
	 */
	final class Run {

		private final LockRequest request;

		private final String bean;

		private final String job;

		private final Tick tick;

		private final boolean calledByScheduler = isCalledByScheduler();

		private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

		private volatile CompletableFuture<?> ended = new CompletableFuture<>();

		private volatile long fence;

		private volatile long startNanos;

		private Run(LockRequest request, String bean) {
			this.request = request;
			this.bean = bean;
			this.job = request.resources().get(0);
			this.tick = Objects.requireNonNull(request.tick());
		}

		private boolean began() {
			return this.state.get() == State.BEGAN;
		}

		private LockNotAcquiredException shuttingDown() {
			return new LockNotAcquiredException(Set.copyOf(this.request.resources()), Reason.SHUTTING_DOWN, List.of(),
					0, Duration.ZERO);
		}

		private void waitsFor(CompletableFuture<?> background) {
			this.ended = background;
			JobRunner.this.jobs.waiting().add(this);
			if (!JobRunner.this.jobs.isRunning()) {
				stop();
			}
		}

		/**
		 * Gives up the wait of this run, unless its job has begun.
		 */
		void stop() {
			if (this.state.compareAndSet(State.WAITING, State.STOPPED)) {
				this.ended.completeExceptionally(shuttingDown());
			}
		}

		private @Nullable Object begin(Lease lease, LockedMethodExtension.Call call) {
			if (!this.state.compareAndSet(State.WAITING, State.BEGAN)) {
				throw shuttingDown();
			}
			this.fence = fence(lease);
			RedlockJobStartEvent start = new RedlockJobStartEvent(this.job, method(), due(), next(), this.fence);
			tell(() -> JobRunner.this.events.accept(start));
			this.startNanos = System.nanoTime();
			return call.runLocked();
		}

		private void ended(@Nullable Throwable failure) {
			Duration took = began() ? Duration.ofNanos(System.nanoTime() - this.startNanos) : Duration.ZERO;
			publish((failure == null) ? Outcome.SUCCEEDED : began() ? Outcome.FAILED : Outcome.UNDECIDED, took,
					failure);
		}

		private void refused(LockNotAcquiredException refusal) {
			Outcome outcome = switch (refusal.reason()) {
				case TICK_TAKEN -> Outcome.TAKEN;
				case HELD -> Outcome.OVERLAPPED;
				case TICK_LOST -> Outcome.LOST;
				default -> Outcome.UNDECIDED;
			};
			publish(outcome, Duration.ZERO, (outcome == Outcome.TAKEN) ? null : refusal);
		}

		private void logRefusal(LockNotAcquiredException refusal) {
			if (refusal.reason() == Reason.TICK_TAKEN) {
				logger.atLevel(this.calledByScheduler ? Level.DEBUG : Level.INFO)
					.log("The job {} has not run: another call or process has taken its run that was due at {}, and the "
							+ "next run is due at {}. Each run takes place once, even if you call the job by hand",
							this.job, due(), next());
			}
			else if (refusal.reason() == Reason.HELD) {
				logger.info("Skipped the job {} at {}: another run still holds the lock of the job", this.job, due());
			}
		}

		private void publish(Outcome outcome, Duration took, @Nullable Throwable error) {
			RedlockJobEvent event = new RedlockJobEvent(this.job, method(), due(), next(), outcome, this.fence, took,
					error);
			tell(() -> JobRunner.this.jobs.ended(new ScheduledJob(this.bean, JobRunner.this.method), event));
			tell(() -> JobRunner.this.events.accept(event));
		}

		/**
		 * A listener or a meter that fails does not make the job fail.
		 */
		private void tell(Runnable listener) {
			try {
				listener.run();
			}
			catch (RuntimeException | Error ex) {
				logger.warn("A listener of the job {} failed", this.job, ex);
			}
		}

		private String method() {
			return JobRunner.this.method.shortName();
		}

		private Instant due() {
			return JobSchedule.due(this.tick);
		}

		private Instant next() {
			return due().plus(this.tick.interval());
		}

		private static long fence(Lease lease) {
			try {
				return lease.fence();
			}
			catch (IllegalStateException ex) {
				// If fencing is disabled, Lease.fence() throws, and the event gets the
				// fence 0.
				return 0;
			}
		}

		private enum State {

			WAITING, BEGAN, STOPPED

		}

	}

}
