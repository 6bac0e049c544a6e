package dev.redlock.spring.internal.call;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Stream;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.spring.interceptor.AnnotatedMethod;
import dev.redlock.spring.interceptor.InvalidRedLockException;
import dev.redlock.spring.internal.method.Weaving;
import kotlin.coroutines.Continuation;
import kotlinx.coroutines.Job;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

import org.springframework.core.CoroutinesUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Calls the fallback method of a bean when the locked method did not get its lock.
 */
public record FallbackMethod(Method method, boolean takesFailure) implements FailureHandler {

	/**
	 * Prefers a fallback method that also takes the {@link LockNotAcquiredException}.
	 */
	public static FallbackMethod find(AnnotatedMethod locked, String name) {
		boolean suspending = KotlinDetector.isSuspendingFunction(locked.method());
		Class<?>[] parameters = locked.method().getParameterTypes();
		Class<?>[] withFailure = insert(LockNotAcquiredException.class, parameters, suspending, Class[]::new);
		Method method = ReflectionUtils.findMethod(locked.targetClass(), name, withFailure);
		boolean takesFailure = method != null;
		if (method == null) {
			method = ReflectionUtils.findMethod(locked.targetClass(), name, parameters);
		}
		if (method == null) {
			throw new InvalidRedLockException(locked, "fallback",
					"there is no method " + name + " with the same parameters as the locked method.",
					"Give " + locked.targetClass().getName() + " a method " + name
							+ AnnotatedMethod.describe(parameters) + " or " + name
							+ AnnotatedMethod.describe(withFailure) + ".");
		}
		locked.refuseIf(method.equals(locked.method()), "fallback", "the fallback is the locked method itself.",
				"Name another method: a method cannot be its own fallback.");
		boolean unlocked = AnnotatedMethod.find(method, locked.targetClass())
			.filter((found) -> found.direct() && !Weaving.isWoven(found))
			.isPresent();
		locked.refuseIf(unlocked, "fallback", "the method " + name + " has @RedLock too, which would be ignored.",
				"Remove @RedLock from the fallback, or let it call a method of another bean that has @RedLock.");
		checkReturnType(locked, method);
		ReflectionUtils.makeAccessible(method);
		return new FallbackMethod(method, takesFailure);
	}

	@Override
	public @Nullable Object handle(LockNotAcquiredException failure, LockCall call) throws Throwable {
		boolean suspending = KotlinDetector.isSuspendingFunction(this.method);
		@Nullable Object[] args = this.takesFailure ? insert(failure, call.arguments(), suspending, Object[]::new)
				: call.arguments();
		if (suspending) {
			return KotlinCall.invoke(this.method, owner(call), args);
		}
		try {
			return this.method.invoke(owner(call), args);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	/**
	 * The fallback is called on the bean, because a private fallback on the proxy would
	 * see null in all fields. A repository's fallback is called on the proxy, because the
	 * object behind the proxy does not implement the repository interface.
	 */
	private @Nullable Object owner(LockCall call) {
		return Stream.of(call.bean(), call.target())
			.filter(this.method.getDeclaringClass()::isInstance)
			.findFirst()
			.orElseGet(call::proxy);
	}

	/**
	 * Adds the exception to the arguments, as the last one or before the
	 * {@code Continuation} of a suspending function.
	 */
	private static <T extends @Nullable Object> T[] insert(T reason, T[] others, boolean suspending,
			IntFunction<T[]> array) {
		List<T> all = new ArrayList<>(Arrays.asList(others));
		all.add(suspending ? others.length - 1 : others.length, reason);
		return all.toArray(array);
	}

	private static void checkReturnType(AnnotatedMethod locked, Method method) {
		Class<?> wanted = locked.method().getReturnType();
		locked.refuseIf(wanted != void.class && !ClassUtils.isAssignable(wanted, method.getReturnType()), "fallback",
				"the method " + method.getName() + " returns " + method.getReturnType().getTypeName() + ".",
				"Let the fallback return " + wanted.getTypeName() + ".");
	}

	/**
	 * Keeps Kotlin's types out of {@code FallbackMethod}, which must load without Kotlin.
	 */
	private static final class KotlinCall {

		/**
		 * Leaves out the {@code Job} of the calling coroutine, because a cancelled
		 * subscription to the returned publisher already cancels the fallback.
		 */
		static Publisher<?> invoke(Method function, @Nullable Object target, @Nullable Object[] args) {
			Continuation<?> caller = (Continuation<?>) Objects.requireNonNull(args[args.length - 1]);
			return CoroutinesUtils.invokeSuspendingFunction(caller.getContext().minusKey(Job.Key), function,
					Objects.requireNonNull(target), args);
		}

	}

}
