package dev.redlock.spring.interceptor;

import java.util.concurrent.atomic.AtomicLong;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does nothing without the lock, whatever the reason. Logs when calls begin to be skipped
 * for another reason than a lock that is held, and when that is over. Thread-safe.
 */
final class SkipAlways implements FailureHandler {

	private static final Logger logger = LoggerFactory.getLogger(RedLockInterceptor.class);

	private final String method;

	private final Class<?> returnType;

	/**
	 * Calls skipped in a row while it was not known whether the lock is held.
	 */
	private final AtomicLong skipped = new AtomicLong();

	SkipAlways(String method, Class<?> returnType) {
		this.method = method;
		this.returnType = returnType;
	}

	@Override
	public @Nullable Object handle(LockNotAcquiredException failure, MethodInvocation invocation) {
		if (failure.reason() == Reason.HELD) {
			acquired();
		}
		else if (!isByTheCaller(failure.reason()) && this.skipped.getAndIncrement() == 0) {
			logger.warn(
					"Skipped {} because the nodes could not say whether another owner holds its lock"
							+ " (onFailure = SKIP_ALWAYS). Until they can, it may not run in any process. {}",
					this.method, failure.getMessage());
		}
		return FailureHandler.nothing(this.returnType);
	}

	/**
	 * The nodes have come to a verdict.
	 */
	@Override
	public void acquired() {
		long calls = (this.skipped.get() != 0) ? this.skipped.getAndSet(0) : 0;
		if (calls != 0) {
			logger.info("The nodes can say again whether another owner holds the lock of {}. {} while they could not.",
					this.method, (calls == 1) ? "1 call was skipped" : calls + " calls were skipped");
		}
	}

	private static boolean isByTheCaller(Reason reason) {
		return reason == Reason.INTERRUPTED || reason == Reason.SHUTTING_DOWN;
	}

}
