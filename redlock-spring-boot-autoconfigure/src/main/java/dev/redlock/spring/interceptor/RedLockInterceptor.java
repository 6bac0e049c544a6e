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

	private final Supplier<ResourceNameResolver> resolver;

	private final boolean weaving = Weaving.isOn();

	/**
	 * @param specs the annotations
	 * @param beans resolves beans in expressions
	 * @param operations how to lock, resolved with the first call
	 * @param resolver has the last word on names, resolved with the first call
	 */
	RedLockInterceptor(RedLockSpecs specs, BeanResolver beans, Supplier<RedLockOperations> operations,
			Supplier<ResourceNameResolver> resolver) {
		this.specs = specs;
		this.beans = beans;
		this.operations = operations;
		this.resolver = resolver;
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
		LockCall call = new LockCall(spec, invocation, this.beans, this.resolver.get(),
				this.weaving && !(invocation instanceof JoinPointInvocation));
		if (!spec.applies(call)) {
			return call.proceed();
		}
		return spec.invoker().invoke(this.operations.get(), spec.request(call), call);
	}

}
