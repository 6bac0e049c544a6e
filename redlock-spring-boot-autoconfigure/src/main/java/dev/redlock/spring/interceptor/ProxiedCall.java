package dev.redlock.spring.interceptor;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;

/**
 * A call that the proxy has dealt with and that now goes to a woven method: the aspect
 * lets it pass, so that no method is locked twice.
 */
final class ProxiedCall implements MethodInvocation {

	private static final ThreadLocal<@Nullable Expected> EXPECTED = new ThreadLocal<>();

	private final MethodInvocation delegate;

	private final Expected expected;

	/**
	 * @param delegate the call of the proxy
	 * @param method the woven method that it ends in
	 */
	ProxiedCall(MethodInvocation delegate, Method method) {
		this.delegate = delegate;
		this.expected = new Expected(method, Targets.ultimate(delegate.getThis()));
	}

	/**
	 * Whether this is the call that the proxy has announced to the thread. Only the first
	 * one is: what the method calls itself is another.
	 */
	static boolean hasArrived(Method method, @Nullable Object target) {
		Expected expected = EXPECTED.get();
		boolean arrived = expected != null && expected.target == target && expected.method.equals(method);
		if (arrived) {
			EXPECTED.remove();
		}
		return arrived;
	}

	@Override
	public @Nullable Object proceed() throws Throwable {
		Expected before = EXPECTED.get();
		EXPECTED.set(this.expected);
		try {
			return (this.delegate instanceof ProxyMethodInvocation repeatable) ? repeatable.invocableClone().proceed()
					: this.delegate.proceed();
		}
		finally {
			EXPECTED.set(before);
		}
	}

	@Override
	public Method getMethod() {
		return this.delegate.getMethod();
	}

	@Override
	public @Nullable Object[] getArguments() {
		return this.delegate.getArguments();
	}

	@Override
	public @Nullable Object getThis() {
		return this.delegate.getThis();
	}

	@Override
	public AccessibleObject getStaticPart() {
		return this.delegate.getStaticPart();
	}

	private record Expected(Method method, @Nullable Object target) {

	}

}
