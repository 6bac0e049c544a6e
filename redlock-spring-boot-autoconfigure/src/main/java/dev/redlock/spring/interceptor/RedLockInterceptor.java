package dev.redlock.spring.interceptor;

import java.util.function.Supplier;

import dev.redlock.spring.template.RedLockOperations;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.expression.BeanResolver;

/**
 * Runs a method as its {@code @RedLock} says.
 */
final class RedLockInterceptor implements MethodInterceptor {

	private final RedLockSpecs specs;

	private final BeanResolver beans;

	private final Supplier<RedLockOperations> operations;

	/**
	 * @param specs the annotations
	 * @param beans resolves beans in expressions
	 * @param operations how to lock, asked for with the first call
	 */
	RedLockInterceptor(RedLockSpecs specs, BeanResolver beans, Supplier<RedLockOperations> operations) {
		this.specs = specs;
		this.beans = beans;
		this.operations = operations;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		Class<?> targetClass = (target != null) ? AopUtils.getTargetClass(target)
				: invocation.getMethod().getDeclaringClass();
		RedLockSpec spec = this.specs.find(invocation.getMethod(), targetClass).orElse(null);
		if (spec == null) {
			return invocation.proceed();
		}
		LockCall call = new LockCall(invocation, spec.parameters(), this.beans);
		if (!spec.applies(call)) {
			return invocation.proceed();
		}
		return spec.invoker().invoke(this.operations.get(), spec.request(call), invocation, spec.onFailure());
	}

}
