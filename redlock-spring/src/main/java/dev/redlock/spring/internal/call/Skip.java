package dev.redlock.spring.internal.call;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.spring.interceptor.AnnotatedMethod;
import dev.redlock.spring.internal.method.EmptyValue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Returns an empty value for a call whose lock another owner holds. With
 * {@code SKIP_ALWAYS}, every call that does not get its lock returns an empty value.
 */
public final class Skip implements FailureHandler {

	private static final Logger logger = LoggerFactory.getLogger(Skip.class);

	private static final long PAUSE = TimeUnit.MINUTES.toNanos(1);

	private final AnnotatedMethod method;

	private final boolean always;

	private final AtomicLong lastWarning = new AtomicLong(System.nanoTime() - PAUSE);

	public Skip(AnnotatedMethod method, boolean always) {
		this.method = method;
		this.always = always;
	}

	@Override
	public @Nullable Object handle(LockNotAcquiredException failure, LockCall call) {
		Reason reason = failure.reason();
		boolean known = reason == Reason.HELD || reason == Reason.TICK_TAKEN;
		if (!known && !this.always) {
			throw failure;
		}
		if (!known && reason != Reason.INTERRUPTED && reason != Reason.SHUTTING_DOWN) {
			warn(failure);
		}
		return EmptyValue.of(this.method.returnType());
	}

	private void warn(LockNotAcquiredException failure) {
		long last = this.lastWarning.get();
		long now = System.nanoTime();
		if (now - last >= PAUSE && this.lastWarning.compareAndSet(last, now)) {
			logger.warn(
					"Skipped {} because the nodes could not say whether another owner holds its lock (onFailure = "
							+ "SKIP_ALWAYS). While too few nodes answer, every process may skip the method. {}",
					this.method, failure.getMessage());
		}
	}

}
