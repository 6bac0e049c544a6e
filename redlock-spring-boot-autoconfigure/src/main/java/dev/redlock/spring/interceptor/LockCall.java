package dev.redlock.spring.interceptor;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.BeanResolver;
import org.springframework.expression.EvaluationContext;

/**
 * One call of a locked method, as its expressions see it. Used by one thread.
 */
final class LockCall {

	static final ResourceNameResolver AS_THE_ANNOTATION_SAYS = ResourceNameResolver.Call::names;

	private final MethodInvocation invocation;

	private final Map<String, Integer> parameters;

	private final BeanResolver beans;

	private final ResourceNameResolver resolver;

	private @Nullable EvaluationContext context;

	LockCall(MethodInvocation invocation, Map<String, Integer> parameters, BeanResolver beans,
			ResourceNameResolver resolver) {
		this.invocation = invocation;
		this.parameters = parameters;
		this.beans = beans;
		this.resolver = resolver;
	}

	/**
	 * Made on first use: a call whose attributes are all constant needs none.
	 */
	EvaluationContext context() {
		if (this.context == null) {
			this.context = createContext();
		}
		return this.context;
	}

	/**
	 * What is locked, given what the annotation says.
	 */
	List<String> resolve(List<String> names) {
		if (this.resolver == AS_THE_ANNOTATION_SAYS) {
			return names;
		}
		List<@Nullable Object> args = Collections.unmodifiableList(Arrays.asList(this.invocation.getArguments()));
		Collection<String> resolved = this.resolver.resolve(
				new ResourceNameResolver.Call(this.invocation.getMethod(), this.invocation.getThis(), args, names));
		if (resolved == null || resolved.stream().anyMatch(Objects::isNull)) {
			throw new IllegalArgumentException("The ResourceNameResolver " + this.resolver.getClass().getName()
					+ " returned null for " + this.invocation.getMethod() + ". Return one name or more.");
		}
		return List.copyOf(resolved);
	}

	private EvaluationContext createContext() {
		@Nullable Object[] args = this.invocation.getArguments();
		ExpressionRoot root = new ExpressionRoot(args, this.invocation.getMethod(), this.invocation.getThis());
		LockEvaluationContext created = new LockEvaluationContext(root, this.beans);
		for (int i = 0; i < args.length; i++) {
			created.setVariable("a" + i, args[i]);
			created.setVariable("p" + i, args[i]);
		}
		this.parameters.forEach((name, index) -> created.setVariable(name, args[index]));
		return created;
	}

}
