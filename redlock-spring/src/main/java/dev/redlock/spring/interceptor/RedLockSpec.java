package dev.redlock.spring.interceptor;

import java.util.List;
import java.util.Map;

import dev.redlock.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * An annotation that was read and checked. Constant attributes are computed, and
 * attributes that depend on the call are parsed.
 *
 * @param method the annotated method
 * @param parameters the parameters of the method by name
 * @param resources the names to lock
 * @param condition the condition for locking a call, null for always
 * @param constants the other attributes, with a placeholder for the resource
 * @param invoker how to run the method
 * @param runner runs the method in place of the invoker, null for the usual way
 * @param templates the templates that run the method
 * @param onFailure answers a call without the lock
 */
record RedLockSpec(AnnotatedMethod method, Map<String, Integer> parameters, List<LockText> resources,
		@Nullable LockText condition, LockRequest constants, LockInvoker invoker,
		LockedMethodExtension.@Nullable Runner runner, LockedMethodExtension.Templates templates,
		FailureHandler onFailure) {

	/**
	 * Whether the condition of the annotation says that the call is locked.
	 */
	boolean applies(LockCall call) {
		if (this.condition == null) {
			return true;
		}
		if (this.condition.value(call::context) instanceof Boolean decision) {
			return decision;
		}
		throw this.condition.problem(this.condition.parts().get(0), "is neither true nor false",
				"Write an expression that compares, such as \"#quantity > 10\".");
	}

	/**
	 * Creates the request for one call. Expressions of the annotation are evaluated only
	 * here.
	 */
	LockRequest request(LockCall call) {
		List<String> names = call
			.resolve(this.resources.stream().flatMap((text) -> text.names(call::context).stream()).toList());
		return this.constants.withResources(names);
	}

}
