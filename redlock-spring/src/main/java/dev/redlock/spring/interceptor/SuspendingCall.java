package dev.redlock.spring.interceptor;

import java.lang.reflect.Method;
import java.util.Objects;

import kotlin.coroutines.Continuation;
import kotlinx.coroutines.Job;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

import org.springframework.core.CoroutinesUtils;

/**
 * Calls suspending functions. The only class that uses Kotlin's types.
 */
final class SuspendingCall {

	private SuspendingCall() {
	}

	/**
	 * Calls the function on the dispatcher of its caller. The caller's job is left out,
	 * because the subscription cancels the function.
	 * @param args the arguments, the continuation last
	 * @return a publisher that runs the function on subscription
	 */
	static Publisher<?> invoke(Method function, @Nullable Object target, @Nullable Object[] args) {
		Continuation<?> caller = (Continuation<?>) Objects.requireNonNull(args[args.length - 1]);
		return CoroutinesUtils.invokeSuspendingFunction(caller.getContext().minusKey(Job.Key), function,
				Objects.requireNonNull(target), args);
	}

}
