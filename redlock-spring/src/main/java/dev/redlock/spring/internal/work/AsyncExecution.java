package dev.redlock.spring.internal.work;

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
import dev.redlock.internal.client.Engine;
import dev.redlock.spring.internal.lease.BoundLease;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.task.TaskDecorator;

/**
 * Runs one asynchronous callback under a lock, which is held until the callback's
 * {@code CompletionStage} completes.
 *
 * @param <T> the type of the callback's result
 */
public final class AsyncExecution<T extends @Nullable Object> {

	private static final Logger logger = LoggerFactory.getLogger(AsyncExecution.class);

	private final CompletableFuture<T> answer = new CompletableFuture<>();

	private final LockedWork work;

	private final Executor executor;

	private final Function<Lease, ? extends CompletionStage<T>> action;

	private volatile boolean cancelledByLoss;

	public AsyncExecution(LockedWork work, Executor executor, Function<Lease, ? extends CompletionStage<T>> action) {
		this.work = work;
		this.executor = executor;
		this.action = action;
	}

	/**
	 * @param decorator decorates the callback on the thread of the caller; if the
	 * decorator throws, no outer lease was re-entered
	 */
	public CompletableFuture<T> start(TaskDecorator decorator) {
		Runnable callback = decorator.decorate(this::run);
		// If the caller completes the future, for example by orTimeout(), a callback that
		// has not begun is dropped.
		this.answer.whenComplete((value, failure) -> this.work.cancelUnlessBegun());
		// The callback runs on the executor, because the lock may be acquired on a thread
		// for I/O or timers.
		this.work.reEnterOuter().acquireAsync().whenComplete((work, refusal) -> {
			// A failed wait for the lock and a lost lease are handled on this thread,
			// because the executor may be late or shut down.
			if (refusal != null) {
				this.work.cancelUnlessBegun();
			}
			else {
				this.work.leases().forEach(this::failOnLoss);
			}
			try {
				this.executor.execute((refusal != null) ? () -> finish(null, refusal) : () -> runDecorated(callback));
			}
			catch (RuntimeException | Error ex) {
				finish(null, ex);
			}
		});
		return this.answer;
	}

	/**
	 * Fails the caller's future if the lease is lost before the callback has begun.
	 */
	private void failOnLoss(BoundLease lease) {
		CompletableFuture<LossReason> loss = lease.lost().toCompletableFuture();
		loss.thenAccept((reason) -> {
			if (this.work.cancelUnlessBegun()) {
				this.answer.completeExceptionally(this.work.lossException(lease, reason, false));
			}
		});
		this.answer.whenComplete((value, failure) -> loss.cancel(false));
	}

	/**
	 * Releases the lock if the task of the decorator throws an exception before the task
	 * has called the function.
	 */
	private void runDecorated(Runnable callback) {
		try {
			callback.run();
		}
		catch (RuntimeException | Error ex) {
			if (this.work.cancelUnlessBegun()) {
				this.answer.completeExceptionally(ex);
			}
			throw ex;
		}
	}

	public CompletableFuture<T> run() {
		this.work.granted().forEach((lease) -> Engine.outliveCall(lease.delegate()));
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
	 * Fails the caller's future and cancels the callback's stage in separate tasks,
	 * because code that depends on the future or the stage may block.
	 */
	private void cancelOnLoss(Lease lease, CompletionStage<T> stage) {
		CompletableFuture<LossReason> answers = lease.lost().toCompletableFuture();
		CompletableFuture<LossReason> cancels = lease.lost().toCompletableFuture();
		answers.thenAccept((reason) -> this.answer.completeExceptionally(this.work.lossOf(lease, reason, true)));
		cancels.thenRun(() -> {
			this.cancelledByLoss = true;
			cancel(stage);
		});
		stage.whenComplete((value, failure) -> {
			if (!this.cancelledByLoss) {
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
		if (released.isDone() && !this.cancelledByLoss) {
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
		if (failure == null || (this.cancelledByLoss && failure instanceof CancellationException)) {
			// The transaction around the call may already have committed, so the loss of
			// the lock counts as a loss after the commit.
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
			// The executor has rejected the task, so this thread reports the outcome of
			// the callback.
			tell.run();
		}
	}

	private static void cancel(CompletionStage<?> stage) {
		if (stage instanceof Future<?> future) {
			try {
				future.cancel(true);
			}
			catch (UnsupportedOperationException ex) {
				logger.debug("A CompletionStage cannot be cancelled, so its lock is held until the stage completes");
			}
		}
	}

	private static @Nullable Throwable unwrap(@Nullable Throwable failure) {
		Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : null;
		return (cause != null) ? cause : failure;
	}

}
