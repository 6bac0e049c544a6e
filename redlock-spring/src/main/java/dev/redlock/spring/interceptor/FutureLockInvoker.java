package dev.redlock.spring.interceptor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.spring.template.RedLockOperations;
import org.jspecify.annotations.Nullable;

/**
 * For methods that return a stage: the lock is held until it completes.
 */
final class FutureLockInvoker implements LockInvoker {

	private final LockInvoker awaited = new AwaitedFutureInvoker();

	@Override
	public @Nullable Object invoke(RedLockOperations operations, LockRequest request, LockCall call) throws Throwable {
		return call.isAsync() ? this.awaited.invoke(operations, request, call) : begin(operations, request, call);
	}

	private static Object begin(RedLockOperations operations, LockRequest request, LockCall call) {
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
				settle(answer, value, failure);
			}
		});
		answer.whenComplete((value, failure) -> {
			if (answer.isCancelled()) {
				locked.cancel(true);
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
	static CompletionStage<@Nullable Object> stage(@Nullable Object returned) {
		if (returned == null) {
			throw new IllegalStateException("A method with @RedLock that returns a stage returned null");
		}
		return (CompletionStage<@Nullable Object>) returned;
	}

}
