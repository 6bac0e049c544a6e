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
	 * How many calls in a row were skipped without a lock that is held.
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
			logger.warn("The method {} is skipped though no other owner is known to have its lock, as SKIP_ALWAYS says."
					+ " It may run nowhere until this is mended. {}", this.method, failure.getMessage());
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
			logger.info(
					"The method {} is not skipped any more: the nodes decide about its lock again. {} without that.",
					this.method, (calls == 1) ? "1 call was skipped" : calls + " calls were skipped");
		}
	}

	private static boolean isByTheCaller(Reason reason) {
		return reason == Reason.INTERRUPTED || reason == Reason.SHUTTING_DOWN;
	}

}
