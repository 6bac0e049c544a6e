package dev.redlock.spring.interceptor;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;

/**
 * Refuses values of a locked method whose work still goes on, or has not begun, though
 * its return type does not say so.
 */
final class ResultCheck {

	private final Method method;

	/** The types that are {@linkplain DeferredWork#behind behind} the return type. */
	private final List<DeferredWork> undeclared;

	/**
	 * @param declared the return type; for a suspending function that of its result
	 */
	ResultCheck(Method method, ResolvableType declared) {
		this.method = method;
		this.undeclared = DeferredWork.behind(declared);
	}

	/** Whether the return type may hide such work. It does so for few return types. */
	boolean mayHide() {
		return !this.undeclared.isEmpty();
	}

	/**
	 * Refuses the value if its work has not ended.
	 * @throws IllegalStateException if it has not
	 */
	void check(@Nullable Object value) {
		Object content = unwrap(value);
		if (content instanceof Future<?> || content instanceof CompletionStage<?>) {
			if (!isDone(content)) {
				throw unfinished("a future that is not done", "Declare CompletableFuture or CompletionStage.");
			}
		}
		else if (content != null && mayHide()) {
			// Before the other types, since a Mono can be a Callable too.
			if (ReactiveAdapterRegistry.getSharedInstance().getAdapter(null, content) != null) {
				throw unfinished("a publisher", (content == value) ? "Declare Mono, Flux or the type that it has."
						: DeferredWork.COLLECTED_BODY);
			}
			for (DeferredWork each : this.undeclared) {
				if (each.includes(content.getClass())) {
					throw unfinished("a " + each.type().getName(), each.instead());
				}
			}
		}
	}

	private static boolean isDone(Object content) {
		// A stage need not answer what a future is asked.
		return (content instanceof CompletionStage<?> stage) ? stage.toCompletableFuture().isDone()
				: ((Future<?>) content).isDone();
	}

	/**
	 * Takes a value out of an {@code Optional} or a response.
	 */
	private static @Nullable Object unwrap(@Nullable Object value) {
		if (value instanceof Optional<?> optional) {
			return unwrap(optional.orElse(null));
		}
		for (Class<?> response : DeferredWork.RESPONSES) {
			if (response.isInstance(value)) {
				String name = Objects.requireNonNull(DeferredWork.BODIES.get(response.getName()));
				Method body = Objects.requireNonNull(ReflectionUtils.findMethod(response, name));
				return unwrap(ReflectionUtils.invokeMethod(body, value));
			}
		}
		return value;
	}

	private IllegalStateException unfinished(String what, String action) {
		return new IllegalStateException("The method " + this.method.getDeclaringClass().getName() + "."
				+ this.method.getName() + " with @RedLock returned " + what
				+ ", and its return type does not say so. The lock is released when"
				+ " the method returns, and the work of this result would run after that. " + action);
	}

}
