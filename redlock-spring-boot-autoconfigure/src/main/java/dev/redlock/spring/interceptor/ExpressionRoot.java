package dev.redlock.spring.interceptor;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

/**
 * The {@code #root} of expressions. It has getters because the expression language does
 * not know the accessors of records.
 */
final class ExpressionRoot {

	private final @Nullable Object[] args;

	private final Method method;

	private final @Nullable Object target;

	ExpressionRoot(@Nullable Object[] args, Method method, @Nullable Object target) {
		this.args = args;
		this.method = method;
		this.target = target;
	}

	public @Nullable Object[] getArgs() {
		return this.args;
	}

	public Method getMethod() {
		return this.method;
	}

	public @Nullable Object getTarget() {
		return this.target;
	}

}
