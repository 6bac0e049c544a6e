package dev.redlock.spring.interceptor;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;

import org.springframework.beans.factory.DisposableBean;

/**
 * Lets methods that {@link RedLockAspect} is woven into run without a lock, as long as
 * this bean lives. For applications that have turned locks off; proxies need no bypass,
 * since there are none then.
 */
public final class RedLockBypass implements DisposableBean {

	private final MethodInterceptor proceeding = MethodInvocation::proceed;

	/**
	 * Opens the bypass.
	 */
	public RedLockBypass() {
		Weaving.connect(this.proceeding);
	}

	/**
	 * Closes the bypass.
	 */
	@Override
	public void destroy() {
		Weaving.disconnect(this.proceeding);
	}

}
