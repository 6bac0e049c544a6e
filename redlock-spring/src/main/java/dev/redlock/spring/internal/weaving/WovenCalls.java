package dev.redlock.spring.internal.weaving;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;

/**
 * The interceptors of this process that lock calls of woven methods, one for each running
 * application context.
 */
public final class WovenCalls {

	private static final Deque<MethodInterceptor> INTERCEPTORS = new ConcurrentLinkedDeque<>();

	private WovenCalls() {
	}

	public static void connect(MethodInterceptor interceptor) {
		INTERCEPTORS.add(interceptor);
	}

	public static void disconnect(MethodInterceptor interceptor) {
		INTERCEPTORS.remove(interceptor);
	}

	/**
	 * Returns the interceptor of the context that was started last.
	 */
	public static @Nullable MethodInterceptor latest() {
		return INTERCEPTORS.peekLast();
	}

}
