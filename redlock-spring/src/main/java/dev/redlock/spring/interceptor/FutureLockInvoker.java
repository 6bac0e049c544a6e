package dev.redlock.spring.interceptor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.LossPolicy;
import dev.redlock.LossReason;
import dev.redlock.spring.template.RedLockOperations;
import org.jspecify.annotations.Nullable;

/**
 * For methods that return a stage: the lock is held until it completes.
 */
final class FutureLockInvoker implements LockInvoker {

	private final ResultCheck results;

	FutureLockInvoker(ResultCheck results) {
		this.results = results;
	}

	@Override
	public Object invoke(RedLockOperations operations, LockRequest request, LockCall call) {
		return call.isAsync() ? await(operations, request, call) : begin(operations, request, call);
	}

	/**
	 * For methods with {@code @Async}. Spring makes the thread of such a method wait for
	 * the stage. So the work runs on this thread: a second thread of the same executor
	 * might never be free, because all of its threads wait in this way.
	 */
	@SuppressWarnings("NullAway") // The type parameter of a callback admits null.
	private Object await(RedLockOperations operations, LockRequest request, LockCall call) {
		return CompletableFuture.<@Nullable Object>completedFuture(operations.<@Nullable Object>execute(request,
				(lease) -> checked(result(lease, stage(call.runLocked()), request.onLoss()))));
	}

	/**
	 * Waits for the result. An interrupt ends the work by cancelling its future.
	 */
	private static @Nullable Object result(Lease lease, CompletionStage<@Nullable Object> stage, LossPolicy onLoss)
			throws Exception {
		CompletableFuture<@Nullable Object> future = stage.toCompletableFuture();
		try {
			return future.get();
		}
		catch (InterruptedException ex) {
			future.cancel(true);
			LossReason loss = lease.lost().toCompletableFuture().getNow(null);
			if (loss == null || onLoss != LossPolicy.INTERRUPT) {
				throw ex;
			}
			LockLostException lost = new LockLostException(lease.resources(), loss);
			lost.addSuppressed(ex);
			throw lost;
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof Error error) {
				throw error;
			}
			throw (ex.getCause() instanceof Exception cause) ? cause : ex;
		}
	}

	private @Nullable Object checked(@Nullable Object value) {
		this.results.check(value);
		return value;
	}

	private @Nullable Throwable refusal(@Nullable Object value) {
		try {
			this.results.check(value);
			return null;
		}
		catch (Throwable ex) {
			return ex;
		}
	}

	private Object begin(RedLockOperations operations, LockRequest request, LockCall call) {
		CompletableFuture<@Nullable Object> locked = operations.executeAsync(request,
				(lease) -> stage(call.runLocked()));
		CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
		locked.whenComplete((value, thrown) -> {
			Throwable cause = (thrown instanceof CompletionException) ? thrown.getCause() : null;
			Throwable failure = (cause != null) ? cause : thrown;
			if (failure instanceof LockNotAcquiredException refusal) {
				answer(call, refusal, answer);
			}
			else {
				settle(answer, value, (failure != null) ? failure : refusal(value));
			}
		});
		answer.whenComplete((value, failure) -> {
			if (answer.isCancelled()) {
				locked.cancel(true);
			}
			else {
				// After a time-out of the caller, the wait for the lock ends.
				locked.complete(value);
			}
		});
		return answer;
	}

	private static void answer(LockCall call, LockNotAcquiredException failure,
			CompletableFuture<@Nullable Object> answer) {
		try {
			stage(call.answer(failure)).whenComplete((value, ex) -> settle(answer, value, ex));
		}
		catch (Throwable ex) {
			answer.completeExceptionally(ex);
		}
	}

	private static void settle(CompletableFuture<@Nullable Object> answer, @Nullable Object value,
			@Nullable Throwable failure) {
		if (failure != null) {
			answer.completeExceptionally(failure);
		}
		else {
			answer.complete(value);
		}
	}

	@SuppressWarnings("unchecked")
	private static CompletionStage<@Nullable Object> stage(@Nullable Object returned) {
		if (returned == null) {
			throw new IllegalStateException("A method with @RedLock that returns a stage returned null");
		}
		return (CompletionStage<@Nullable Object>) returned;
	}

}
