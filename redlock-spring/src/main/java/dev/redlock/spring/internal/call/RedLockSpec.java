package dev.redlock.spring.internal.call;

import java.util.List;
import java.util.Map;

import dev.redlock.LockRequest;
import dev.redlock.spring.interceptor.AnnotatedMethod;
import dev.redlock.spring.interceptor.LockedMethodExtension;
import dev.redlock.spring.internal.expression.LockText;
import org.jspecify.annotations.Nullable;

/**
 * A {@code @RedLock} that was read and checked at startup, with its expressions parsed.
 *
 * @param condition decides whether a call is locked; null if every call is locked
 * @param constants the lock request of all calls, into which each call puts its own
 * resource names
 * @param runner an extension that runs the method in place of the invoker; null for no
 * extension
 */
public record RedLockSpec(AnnotatedMethod method, Map<String, Integer> parameters, List<LockText> resources,
		@Nullable LockText condition, LockRequest constants, LockInvoker invoker,
		LockedMethodExtension.@Nullable Runner runner, LockedMethodExtension.Templates templates,
		FailureHandler onFailure) {

	boolean meetsCondition(LockCall call) {
		if (this.condition == null) {
			return true;
		}
		if (this.condition.value(call::context) instanceof Boolean decision) {
			return decision;
		}
		throw this.condition.problem(this.condition.parts().get(0), "is neither true nor false",
				"Write an expression that compares, such as \"#quantity > 10\".");
	}

	LockRequest request(LockCall call) {
		List<String> names = call
			.resolve(this.resources.stream().flatMap((text) -> text.names(call::context).stream()).toList());
		return this.constants.withResources(names);
	}

}
