package dev.redlock.spring.internal.work;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.Consumer;
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

	private final LockedWork work;

	private final Executor executor;

	private final CompletableFuture<T> answer;

	private volatile boolean cancelledByLoss;

	/**
	 * Creates the execution of a callback whose lock is acquired.
	 */
	public AsyncExecution(LockedWork work, Executor executor) {
		this(work, executor, new CompletableFuture<>());
	}

	private AsyncExecution(LockedWork work, Executor executor, CompletableFuture<T> answer) {
		this.work = work;
		this.executor = executor;
		this.answer = answer;
	}

	/**
	 * Acquires the lock without blocking a thread, and runs the callback on the executor,
	 * because code of the application could block a thread that answers lock requests.
	 * @param decorator decorates the callback on the thread of the caller; if the
	 * decorator throws, no outer lease was re-entered
	 */
	public static <T extends @Nullable Object> CompletableFuture<T> start(WorkRequest request, Executor executor,
			TaskDecorator decorator, Function<Lease, ? extends CompletionStage<T>> action) {
		// If the caller completes this future, for example by orTimeout(), a callback
		// that has not begun is dropped.
		CompletableFuture<T> answer = new CompletableFuture<>();
		CompletableFuture<AsyncExecution<T>> acquired = new CompletableFuture<>();
		Runnable callback = decorator.decorate(() -> acquired.join().run(action));
		request.acquireAsync(answer).whenComplete((work, refusal) -> {
			if (refusal != null) {
				execute(executor, () -> answer.completeExceptionally(unwrap(refusal)), answer::completeExceptionally);
				return;
			}
			AsyncExecution<T> execution = new AsyncExecution<>(work, executor, answer);
			acquired.complete(execution);
			// The loss of a lease is handled on the thread that reports it, because the
			// executor may be late or shut down.
			work.leases().forEach(execution::failOnLoss);
			execute(executor, () -> execution.runDecorated(callback), (failure) -> execution.finish(null, failure));
		});
		return answer;
	}

	private static void execute(Executor executor, Runnable task, Consumer<Throwable> onRejection) {
		try {
			executor.execute(task);
		}
		catch (RuntimeException | Error ex) {
			onRejection.accept(ex);
		}
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

	public CompletableFuture<T> run(Function<Lease, ? extends CompletionStage<T>> action) {
		this.work.granted().forEach((lease) -> Engine.outliveCall(lease.delegate()));
		try {
			Lease lease = this.work.lease();
			observe(Objects.requireNonNull(this.work.call(lease, () -> action.apply(lease)),
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
		Throwable outcome = outcome((failure != null) ? unwrap(failure) : null);
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
			// If the executor rejects the task, this thread reports the outcome of the
			// callback.
			released.whenComplete((nothing, ignored) -> execute(this.executor, tell, (rejection) -> tell.run()));
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

	static Throwable unwrap(Throwable failure) {
		Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : null;
		return (cause != null) ? cause : failure;
	}

}
