package dev.redlock.spring.interceptor;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.redlock.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * An annotation that was read and checked. Constant attributes are computed, all others
 * are parsed.
 *
 * @param method the annotated method
 * @param parameters its parameters by name
 * @param resources the names to lock
 * @param condition whether to lock a call, null for always
 * @param times the durations
 * @param constants the attributes that do not depend on the call, with a placeholder as
 * resource
 * @param invoker how to run the method
 * @param schedule the schedule of a job that runs once per tick, otherwise null
 * @param onFailure answers a call without the lock
 */
record RedLockSpec(AnnotatedMethod method, Map<String, Integer> parameters, List<LockText> resources,
		@Nullable LockText condition, Times times, LockRequest constants, LockInvoker invoker,
		@Nullable JobSchedule schedule, FailureHandler onFailure) {

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
	 * Creates the request for one call. Expressions are evaluated here, once.
	 */
	LockRequest request(LockCall call) {
		List<String> names = call
			.resolve(this.resources.stream().flatMap((text) -> text.names(call).stream()).toList());
		LockRequest request = this.constants.withResources(names);
		LockRequest timed = this.times.areConstant() ? request : this.times.applyTo(request, call);
		return (this.schedule != null) ? timed.withTick(this.schedule.now(this.method)) : timed;
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

		boolean areConstant() {
			return this.ttl.isConstant() && this.waitFor.isConstant() && this.retryDelay.isConstant()
					&& this.maxHold.isConstant() && this.atLeast.isConstant();
		}

		LockRequest applyTo(LockRequest request, LockCall call) {
			return request.withTtl(this.ttl.value(call))
				.withWaitFor(this.waitFor.value(call))
				.withRetryDelay(this.retryDelay.value(call))
				.withMaxHold(this.maxHold.value(call))
				.withAtLeast(Objects.requireNonNullElse(this.atLeast.value(call), Duration.ZERO));
		}

	}

}
