package dev.redlock.spring.internal.call;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.Advised;
import org.springframework.validation.beanvalidation.MethodValidationInterceptor;

/**
 * Validates the arguments of a call whose lock names cannot be read. Spring validates the
 * arguments of other calls behind the lock, next to the method.
 */
final class ArgumentValidation {

	private ArgumentValidation() {
	}

	/**
	 * Throws the exception of Spring's method validation if an argument violates a
	 * constraint.
	 */
	static void validate(MethodInvocation invocation) {
		if (invocation instanceof ProxyMethodInvocation call && call.getProxy() instanceof Advised proxy) {
			for (Advisor advisor : proxy.getAdvisors()) {
				if (advisor.getAdvice() instanceof MethodValidationInterceptor validation) {
					validate(validation, invocation);
				}
			}
		}
	}

	private static void validate(MethodValidationInterceptor validation, MethodInvocation invocation) {
		try {
			validation.invoke(new ArgumentsOnly(invocation));
		}
		catch (RuntimeException ex) {
			throw ex;
		}
		catch (Throwable ex) {
			// The arguments violate no constraint, because validation called the method.
		}
	}

	/**
	 * A call whose method does not run: {@link #proceed()} ends the validation.
	 */
	private record ArgumentsOnly(MethodInvocation call) implements MethodInvocation {

		@Override
		public Object proceed() throws Throwable {
			throw new Throwable("The arguments are valid");
		}

		@Override
		public Method getMethod() {
			return this.call.getMethod();
		}

		@Override
		public @Nullable Object[] getArguments() {
			return this.call.getArguments();
		}

		@Override
		public @Nullable Object getThis() {
			return this.call.getThis();
		}

		@Override
		public AccessibleObject getStaticPart() {
			return this.call.getStaticPart();
		}

	}

}
