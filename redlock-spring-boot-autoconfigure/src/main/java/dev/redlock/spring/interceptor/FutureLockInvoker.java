package dev.redlock.spring.interceptor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.spring.template.RedLockOperations;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * For methods that return a stage: the lock is held until it completes.
 */
final class FutureLockInvoker implements LockInvoker {

	@Override
	public Object invoke(RedLockOperations operations, LockRequest request, MethodInvocation invocation,
			FailureHandler onFailure) {
		AtomicBoolean entered = new AtomicBoolean();
		CompletableFuture<@Nullable Object> locked = operations.executeAsync(request, (lease) -> {
			entered.set(true);
			onFailure.acquired();
			return stage(LockInvoker.<RuntimeException>proceed(invocation));
		});
		CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
		locked.whenComplete((value, failure) -> {
			if (failure instanceof LockNotAcquiredException refusal && !entered.get()) {
				answerWith(() -> onFailure.handle(refusal, invocation), answer);
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

	private static void answerWith(Handler handler, CompletableFuture<@Nullable Object> answer) {
		try {
			CompletionStage<@Nullable Object> stage = stage(handler.handle());
			stage.whenComplete((value, failure) -> settle(answer, value, failure));
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

	@FunctionalInterface
	private interface Handler {

		@Nullable Object handle() throws Throwable;

	}

}
