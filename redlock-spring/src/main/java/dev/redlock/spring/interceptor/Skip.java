package dev.redlock.spring.interceptor;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.Nullness;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;

/**
 * Returns the empty value of the return type while another owner holds the lock. With
 * {@code SKIP_ALWAYS} it does so for every reason, and logs the first call that is
 * skipped without an answer of the nodes, and the first answer after that. Thread-safe.
 */
final class Skip implements FailureHandler {

	private static final Logger logger = LoggerFactory.getLogger(RedLockInterceptor.class);

	private static final Map<Class<?>, Object> EMPTY = Map.of(Optional.class, Optional.empty(), OptionalInt.class,
			OptionalInt.empty(), OptionalLong.class, OptionalLong.empty(), OptionalDouble.class,
			OptionalDouble.empty());

	/**
	 * Return types of suspending functions that have an empty value other than null.
	 */
	private static final Set<String> EMPTY_IN_KOTLIN = Set.of("void", "kotlin.Unit", "kotlinx.coroutines.flow.Flow");

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

	/**
	 * Whether the return type has an empty value.
	 */
	static boolean isPossible(Method method) {
		Class<?> type = method.getReturnType();
		if (KotlinDetector.isSuspendingFunction(method)) {
			String declared = new MethodParameter(method, -1).getParameterType().getName();
			return EMPTY_IN_KOTLIN.contains(declared) || Nullness.forMethodReturnType(method) != Nullness.NON_NULL;
		}
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
		return (adapter != null) ? adapter.supportsEmpty() : !type.isPrimitive() || type == void.class;
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
		return emptyValue(this.method.method().getReturnType());
	}

	@Override
	public void answered() {
		long calls = (this.skipped.get() != 0) ? this.skipped.getAndSet(0) : 0;
		if (calls != 0) {
			logger.info("The nodes can say again whether another owner holds the lock of {}. {} while they could not.",
					this.method, (calls == 1) ? "1 call was skipped" : calls + " calls were skipped");
		}
	}

	/**
	 * Returns the value of a call that is skipped.
	 */
	static @Nullable Object emptyValue(Class<?> type) {
		if (EMPTY.containsKey(type)) {
			return EMPTY.get(type);
		}
		if (CompletionStage.class.isAssignableFrom(type)) {
			return CompletableFuture.completedFuture(null);
		}
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
		return (adapter != null) ? adapter.getDescriptor().getEmptyValue() : null;
	}

}
