package dev.redlock.spring.interceptor;

import java.util.Map;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.BeanResolver;
import org.springframework.expression.EvaluationContext;

/**
 * One call of a locked method, as its expressions see it. Used by one thread.
 */
final class LockCall {

	private final MethodInvocation invocation;

	private final Map<String, Integer> parameters;

	private final BeanResolver beans;

	private @Nullable EvaluationContext context;

	LockCall(MethodInvocation invocation, Map<String, Integer> parameters, BeanResolver beans) {
		this.invocation = invocation;
		this.parameters = parameters;
		this.beans = beans;
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
