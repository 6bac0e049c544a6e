package dev.redlock.spring.internal.read;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;

import org.aopalliance.intercept.MethodInvocation;

/**
 * A call without a proxy.
 */
record SimpleInvocation(Object target, Method method, Object... args) implements MethodInvocation {

	@Override
	public Method getMethod() {
		return this.method;
	}

	@Override
	public Object[] getArguments() {
		return this.args;
	}

	@Override
	public Object proceed() throws Throwable {
		return this.method.invoke(this.target, this.args);
	}

	@Override
	public Object getThis() {
		return this.target;
	}

	@Override
	public AccessibleObject getStaticPart() {
		return this.method;
	}

}
