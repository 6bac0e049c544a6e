package dev.redlock.spring.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.Function;

import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LossReason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one asynchronous callback under a lock: acquires the lock, calls the callback,
 * releases the lock when the callback's {@code CompletionStage} completes, and then
 * completes the caller's future. None of these steps blocks a thread.
 *
 * @param <T> the type of the callback's result
 */
final class AsyncExecution<T extends @Nullable Object> {

	private static final Logger logger = LoggerFactory.getLogger(AsyncExecution.class);

	private final CompletableFuture<T> answer = new CompletableFuture<>();

	private final LockedWork work;

	private final Executor executor;

	private final Function<Lease, ? extends CompletionStage<T>> action;

	/** Whether the callback's stage was cancelled because the lock was lost. */
	private volatile boolean cancelled;

	AsyncExecution(LockedWork work, Executor executor, Function<Lease, ? extends CompletionStage<T>> action) {
		this.work = work;
		this.executor = executor;
		this.action = action;
	}

	CompletableFuture<T> start() {
		// If the caller completes the future, for example by orTimeout(), a callback
		// that still waits for the lock or for a thread is dropped.
		this.answer.whenComplete((value, failure) -> this.work.cancelUnlessBegun());
		// The callback runs on the executor, because the thread that completes the
		// acquisition may be for I/O or timers and must not run user code.
		this.work.acquireAsync().whenComplete((work, refusal) -> {
			// The executor may be late, or may drop its tasks when it is shut down. A
			// failed wait or a lost lease is therefore handled on this thread.
			if (refusal != null) {
				this.work.cancelUnlessBegun();
			}
			else {
				this.work.leases().forEach(this::failOnLoss);
			}
			try {
				this.executor.execute((refusal != null) ? () -> finish(null, refusal) : this::run);
			}
			catch (RuntimeException | Error ex) {
				finish(null, ex);
			}
		});
		return this.answer;
	}

	/**
	 * Fails the caller's future if the lease is lost before the callback has begun. The
	 * callback is not called any more.
	 */
	private void failOnLoss(BoundLease lease) {
		CompletableFuture<LossReason> loss = lease.lost().toCompletableFuture();
		loss.thenAccept((reason) -> {
			if (this.work.cancelUnlessBegun()) {
				this.answer.completeExceptionally(this.work.lost(lease, reason, false));
			}
		});
		this.answer.whenComplete((value, failure) -> loss.cancel(false));
	}

	/**
	 * Calls the callback on this thread, after the lock was acquired.
	 */
	CompletableFuture<T> run() {
		try {
			Lease lease = this.work.lease();
			observe(Objects.requireNonNull(this.work.call(lease, () -> this.action.apply(lease)),
					"The function that ran under the lock returned null instead of a CompletionStage"), lease);
		}
		catch (Throwable failure) {
			finish(null, failure);
		}
		return this.answer;
	}

	private void observe(CompletionStage<T> stage, Lease lease) {
		this.answer.whenComplete((value, failure) -> {
			if (this.answer.isCancelled()) {
				cancel(stage);
			}
		});
		if (this.work.isInterruptedOnLoss()) {
			cancelOnLoss(lease, stage);
		}
		stage.whenComplete(this::finish);
	}

	/**
	 * When the lock is lost, fails the caller's future and cancels the callback's stage.
	 * These are two separate tasks, because code that depends on the future or the stage
	 * may block its thread.
	 */
	private void cancelOnLoss(Lease lease, CompletionStage<T> stage) {
		CompletableFuture<LossReason> answers = lease.lost().toCompletableFuture();
		CompletableFuture<LossReason> cancels = lease.lost().toCompletableFuture();
		answers.thenAccept((reason) -> this.answer.completeExceptionally(this.work.loss(lease, reason, true)));
		cancels.thenRun(() -> {
			this.cancelled = true;
			cancel(stage);
		});
		stage.whenComplete((value, failure) -> {
			if (!this.cancelled) {
				// The lease may be held for weeks, so a finished callback must leave no
				// listeners on it.
				answers.cancel(false);
				cancels.cancel(false);
			}
		});
	}

	@SuppressWarnings("NullAway") // The caller decides whether T allows null.
	private void finish(@Nullable T value, @Nullable Throwable failure) {
		Throwable outcome = outcome(unwrap(failure));
		CompletableFuture<?> released = this.work.releaseAsync();
		Runnable tell = () -> {
			if (outcome != null) {
				this.answer.completeExceptionally(outcome);
			}
			else {
				this.answer.complete(value);
			}
		};
		if (released.isDone() && !this.cancelled) {
			tell.run();
		}
		else {
			released.whenComplete((nothing, ignored) -> executeOrRun(tell));
		}
	}

	private @Nullable Throwable outcome(@Nullable Throwable failure) {
		if (failure instanceof LockLostException && !this.work.hasBegun()) {
			return failure;
		}
		if (failure == null || (this.cancelled && failure instanceof CancellationException)) {
			// The loss is reported as a loss after a commit. The transaction around the
			// call may have committed before the stage completed.
			Optional<LockLostException> loss = this.work.loss(true);
			return loss.isPresent() ? loss.get() : failure;
		}
		this.work.loss(false).ifPresent(failure::addSuppressed);
		return failure;
	}

	private void executeOrRun(Runnable tell) {
		try {
			this.executor.execute(tell);
		}
		catch (RuntimeException | Error ex) {
			// The callback has ended, so its outcome is reported even if the executor has
			// no free thread.
			tell.run();
		}
	}

	private static void cancel(CompletionStage<?> stage) {
		if (stage instanceof Future<?> future) {
			try {
				future.cancel(true);
			}
			catch (UnsupportedOperationException ex) {
				logger.debug("A locked CompletionStage cannot be cancelled, so the lock is held until it completes");
			}
		}
	}

	private static @Nullable Throwable unwrap(@Nullable Throwable failure) {
		Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : null;
		return (cause != null) ? cause : failure;
	}

}
