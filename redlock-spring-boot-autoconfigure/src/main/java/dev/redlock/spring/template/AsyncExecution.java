package dev.redlock.spring.template;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.Function;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockLostException;
import dev.redlock.LockRequest;
import dev.redlock.LossPolicy;
import dev.redlock.Redlock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One piece of asynchronous work under a lock: acquire, start the work, wait for its
 * stage, release, answer. No step blocks, and each ends in the next or in the answer.
 *
 * @param <T> the type of the result
 */
final class AsyncExecution<T extends @Nullable Object> {

	private static final Logger logger = LoggerFactory.getLogger(RedLockTemplate.class);

	private final CompletableFuture<T> answer = new CompletableFuture<>();

	private final Redlock redlock;

	private final Executor executor;

	private final LockRequest request;

	private final Coverage coverage;

	private final Function<Lease, ? extends CompletionStage<T>> action;

	/**
	 * @param coverage what the work holds already, retained for it
	 */
	AsyncExecution(Redlock redlock, Executor executor, LockRequest request, Coverage coverage,
			Function<Lease, ? extends CompletionStage<T>> action) {
		this.redlock = redlock;
		this.executor = executor;
		this.request = request;
		this.coverage = coverage;
		this.action = action;
	}

	CompletableFuture<T> start() {
		WorkLeases held = new WorkLeases(this.coverage.outer());
		try {
			begin(held);
		}
		catch (RuntimeException | Error ex) {
			finish(held, null, ex);
		}
		return this.answer;
	}

	private void begin(WorkLeases held) {
		if (this.coverage.isComplete()) {
			this.executor.execute(() -> run(held, this.coverage.view()));
			return;
		}
		CompletionStage<LockAttempt> attempt = this.redlock.attempt(this.coverage.rest(this.request));
		onCancel(() -> cancel(attempt));
		attempt.whenComplete((decided, failure) -> {
			// This may be a thread for I/O or timers, and users' code must not run on it.
			try {
				this.executor.execute(() -> decided(held, decided, failure));
			}
			catch (RuntimeException | Error ex) {
				own(decided).ifPresent(held::add);
				finish(held, null, ex);
			}
		});
	}

	private void decided(WorkLeases held, @Nullable LockAttempt attempt, @Nullable Throwable failure) {
		Optional<BoundLease> own = own(attempt);
		if (own.isPresent()) {
			held.add(own.get());
			run(held, own.get());
		}
		else {
			finish(held, null, (attempt != null) ? attempt.failure().orElseThrow() : failure);
		}
	}

	private Optional<BoundLease> own(@Nullable LockAttempt attempt) {
		return Optional.ofNullable(attempt)
			.flatMap(LockAttempt::lease)
			.map((lease) -> new BoundLease(this.redlock, lease));
	}

	private void run(WorkLeases held, Lease lease) {
		if (this.answer.isDone()) {
			finish(held, null, null);
			return;
		}
		CompletionStage<T> stage;
		try {
			stage = Objects.requireNonNull(held.call(() -> this.action.apply(lease)),
					"The work under the lock returned null, no stage");
		}
		catch (Throwable failure) {
			finish(held, null, failure);
			return;
		}
		onCancel(() -> cancel(stage));
		if (this.request.onLoss() == LossPolicy.INTERRUPT) {
			lease.lost().thenAccept((reason) -> {
				this.answer.completeExceptionally(new LockLostException(lease.resources(), reason));
				cancel(stage);
			});
		}
		stage.whenComplete((value, failure) -> finish(held, value, failure));
	}

	private void finish(WorkLeases held, @Nullable T value, @Nullable Throwable failure) {
		Throwable outcome = held.outcome(unwrap(failure), this.request.onLoss());
		answer(held.release(), value, outcome);
	}

	@SuppressWarnings("NullAway") // A T that admits null is the caller's choice.
	private void answer(CompletableFuture<?> released, @Nullable T value, @Nullable Throwable failure) {
		Runnable answer = () -> {
			if (failure != null) {
				this.answer.completeExceptionally(failure);
			}
			else {
				this.answer.complete(value);
			}
		};
		if (this.redlock.settings().awaitRelease()) {
			released.whenComplete((nothing, ignored) -> executeOrRun(answer));
		}
		else {
			answer.run();
		}
	}

	private void executeOrRun(Runnable answer) {
		try {
			this.executor.execute(answer);
		}
		catch (RuntimeException | Error ex) {
			// The work is done: its outcome counts for more than the thread.
			answer.run();
		}
	}

	private void onCancel(Runnable step) {
		this.answer.whenComplete((value, failure) -> {
			if (this.answer.isCancelled()) {
				step.run();
			}
		});
	}

	private static void cancel(CompletionStage<?> stage) {
		if (stage instanceof Future<?> future) {
			try {
				future.cancel(true);
			}
			catch (UnsupportedOperationException ex) {
				logger.debug("A stage under a lock cannot be cancelled, the lock is held until it completes");
			}
		}
	}

	private static @Nullable Throwable unwrap(@Nullable Throwable failure) {
		Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : null;
		return (cause != null) ? cause : failure;
	}

}
