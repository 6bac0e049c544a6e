package dev.redlock.spring.interceptor;

import java.util.concurrent.atomic.AtomicLong;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Returns the empty value of the return type while another owner holds the lock. With
 * {@code SKIP_ALWAYS} it does so for every reason, and logs the first call that is
 * skipped without an answer of the nodes, and the first answer after that. Thread-safe.
 */
final class Skip implements FailureHandler {

	private static final Logger logger = LoggerFactory.getLogger(RedLockInterceptor.class);

	private final AnnotatedMethod method;

	private final boolean always;

	/**
	 * Calls skipped in a row while it was not known whether the lock is held.
	 */
	private final AtomicLong skipped = new AtomicLong();

	Skip(AnnotatedMethod method, boolean always) {
		this.method = method;
		this.always = always;
	}

	@Override
	public @Nullable Object handle(LockNotAcquiredException failure, LockCall call) {
		Reason reason = failure.reason();
		if (reason == Reason.HELD || reason == Reason.TICK_TAKEN) {
			answered();
		}
		else if (!this.always) {
			throw failure;
		}
		else if (reason != Reason.INTERRUPTED && reason != Reason.SHUTTING_DOWN
				&& this.skipped.getAndIncrement() == 0) {
			logger.warn(
					"Skipped {} because the nodes could not say whether another owner holds its lock"
							+ " (onFailure = SKIP_ALWAYS). Until they can, it may not run in any process. {}",
					this.method, failure.getMessage());
		}
		return EmptyValue.of(this.method.returnType());
	}

	@Override
	public void answered() {
		long calls = (this.skipped.get() != 0) ? this.skipped.getAndSet(0) : 0;
		if (calls != 0) {
			logger.info("The nodes can say again whether another owner holds the lock of {}. {} while they could not.",
					this.method, (calls == 1) ? "1 call was skipped" : calls + " calls were skipped");
		}
	}

}
