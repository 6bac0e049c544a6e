package dev.redlock.spring.interceptor;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;

import org.springframework.beans.factory.DisposableBean;

/**
 * Lets woven methods run without a lock until this bean is destroyed. For applications
 * that have turned locks off, where beans get no proxy but {@link RedLockAspect} may
 * still be woven in.
 */
public final class RedLockBypass implements DisposableBean {

	private final MethodInterceptor proceeding = MethodInvocation::proceed;

	/**
	 * Connects the bypass with the aspect.
	 */
	public RedLockBypass() {
		Weaving.connect(this.proceeding);
	}

	/**
	 * Disconnects the bypass.
	 */
	@Override
	public void destroy() {
		Weaving.disconnect(this.proceeding);
	}

}
