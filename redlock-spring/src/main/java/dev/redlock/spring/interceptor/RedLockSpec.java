package dev.redlock.spring.interceptor;

import java.util.List;
import java.util.Map;

import dev.redlock.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * A {@code @RedLock} that was read and checked at startup. Constant attributes have their
 * values, and expressions that depend on the call are parsed.
 *
 * @param method the method with {@code @RedLock}
 * @param parameters the positions of the method's parameters, by their names
 * @param resources the texts of the resource names to lock
 * @param condition decides whether a call is locked; null if every call is locked
 * @param constants the request with all other attributes, and a placeholder as resource
 * name
 * @param invoker runs the method, as its return type requires
 * @param runner an extension that runs the method in place of the invoker; null for no
 * extension
 * @param templates the templates that take the lock
 * @param onFailure decides the result of a call that does not get the lock
 */
record RedLockSpec(AnnotatedMethod method, Map<String, Integer> parameters, List<LockText> resources,
		@Nullable LockText condition, LockRequest constants, LockInvoker invoker,
		LockedMethodExtension.@Nullable Runner runner, LockedMethodExtension.Templates templates,
		FailureHandler onFailure) {

	/**
	 * Whether the attribute {@code condition} says that a call is locked.
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
	 * Creates the lock request of one call. Only this method evaluates the expressions of
	 * the resource names.
	 */
	LockRequest request(LockCall call) {
		List<String> names = call
			.resolve(this.resources.stream().flatMap((text) -> text.names(call::context).stream()).toList());
		return this.constants.withResources(names);
	}

}
