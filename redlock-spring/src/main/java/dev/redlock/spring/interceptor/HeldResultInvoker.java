package dev.redlock.spring.interceptor;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.stream.BaseStream;

import dev.redlock.LockLostException;
import dev.redlock.LockRequest;
import dev.redlock.spring.template.LockHold;
import dev.redlock.spring.template.RedLockOperations;
import org.jspecify.annotations.Nullable;

/**
 * For methods whose result still does work after they have returned. The lock is held
 * until that work has ended too.
 */
final class HeldResultInvoker implements LockInvoker {

	private final BiFunction<LockCall, LockHold, @Nullable Object> work;

	/**
	 * Creates an invoker.
	 * @param work runs the method, and ends the hold when the work of its result has
	 * ended
	 */
	HeldResultInvoker(BiFunction<LockCall, LockHold, @Nullable Object> work) {
		this.work = work;
	}

	/**
	 * Runs a method that returns a stream, and ends the hold when the stream is closed.
	 */
	static @Nullable Object untilClosed(LockCall call, LockHold hold) {
		BaseStream<?, ?> stream = (BaseStream<?, ?>) call.runLocked();
		if (stream == null) {
			hold.end();
			return null;
		}
		return stream.onClose(() -> hold.end().ifPresent((loss) -> {
			throw loss;
		}));
	}

	@Override
	@SuppressWarnings("NullAway") // The type parameter of a callback admits null.
	public @Nullable Object invoke(RedLockOperations operations, LockRequest request, LockCall call) {
		AtomicReference<@Nullable Object> result = new AtomicReference<>();
		try {
			return operations.<@Nullable Object>execute(request, (lease) -> {
				result.set(run(call, operations.hold(request)));
				return result.get();
			});
		}
		catch (LockLostException ex) {
			// The caller does not get the stream, so it has to be closed here.
			if (result.get() instanceof BaseStream<?, ?> stream) {
				close(stream, ex);
			}
			throw ex;
		}
	}

	private @Nullable Object run(LockCall call, LockHold hold) {
		try {
			return this.work.apply(call, hold);
		}
		catch (Throwable ex) {
			hold.end();
			throw ex;
		}
	}

	private static void close(BaseStream<?, ?> stream, LockLostException loss) {
		try {
			stream.close();
		}
		catch (LockLostException ex) {
			// Ending the hold reports the same loss.
		}
		catch (RuntimeException ex) {
			loss.addSuppressed(ex);
		}
	}

}
