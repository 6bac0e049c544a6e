package dev.redlock.spring.interceptor;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.redlock.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * An annotation as it was read and checked: what is constant is computed, what is not is
 * parsed.
 *
 * @param method the annotated method
 * @param parameters its parameters by name
 * @param resources the names of what is locked
 * @param condition whether to lock at all, null for always
 * @param times the durations
 * @param constants the attributes that do not depend on the call; its resources mean
 * nothing
 * @param invoker how to run the method
 * @param onFailure what to do without the lock
 */
record RedLockSpec(AnnotatedMethod method, Map<String, Integer> parameters, List<LockText> resources,
		@Nullable LockText condition, Times times, LockRequest constants, LockInvoker invoker,
		FailureHandler onFailure) {

	/**
	 * Whether the call is to be locked.
	 */
	boolean applies(LockCall call) {
		if (this.condition == null) {
			return true;
		}
		if (this.condition.value(call) instanceof Boolean decision) {
			return decision;
		}
		throw this.condition.problem(this.condition.parts().get(0), "is neither true nor false",
				"Write an expression that compares, such as \"#quantity > 10\".");
	}

	/**
	 * The request for one call. Expressions are evaluated here and never again.
	 */
	LockRequest request(LockCall call) {
		List<String> names = call
			.resolve(this.resources.stream().flatMap((text) -> text.names(call).stream()).toList());
		Duration atLeast = this.times.atLeast().value(call);
		return this.constants.withResources(names)
			.withTtl(this.times.ttl().value(call))
			.withWaitFor(this.times.waitFor().value(call))
			.withRetryDelay(this.times.retryDelay().value(call))
			.withMaxHold(this.times.maxHold().value(call))
			.withAtLeast(Objects.requireNonNullElse(atLeast, Duration.ZERO));
	}

	/**
	 * The durations of an annotation.
	 *
	 * @param ttl the ttl
	 * @param waitFor how long to wait
	 * @param retryDelay the delay between tries
	 * @param maxHold the limit of renewal
	 * @param atLeast how long the lock is kept at least
	 */
	record Times(LockDuration ttl, LockDuration waitFor, LockDuration retryDelay, LockDuration maxHold,
			LockDuration atLeast) {

	}

}
