package dev.redlock.spring.interceptor;

import java.util.concurrent.CompletableFuture;
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
 * For methods with {@code @Async} that return a stage. Spring makes the thread of such a
 * method wait for the stage. So the work runs on this thread: a second thread of the same
 * executor might never be free, because all of its threads wait in this way.
 */
final class AwaitedFutureInvoker implements LockInvoker {

	@Override
	@SuppressWarnings("NullAway") // The type parameter of a callback admits null.
	public @Nullable Object invoke(RedLockOperations operations, LockRequest request, LockCall call) throws Throwable {
		try {
			return CompletableFuture.<@Nullable Object>completedFuture(operations.<@Nullable Object>execute(request,
					(lease) -> result(lease, call.runLocked(), request.onLoss())));
		}
		catch (LockNotAcquiredException ex) {
			return call.answer(ex);
		}
	}

	/**
	 * Waits for the result. An interrupt ends the work by cancelling its future.
	 */
	private static @Nullable Object result(Lease lease, @Nullable Object returned, LossPolicy onLoss) throws Exception {
		CompletableFuture<@Nullable Object> future = FutureLockInvoker.stage(returned).toCompletableFuture();
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

}
