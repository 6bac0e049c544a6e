package dev.redlock.spring.interceptor;

import java.util.List;
import java.util.function.Supplier;

import org.aopalliance.aop.Advice;

import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractBeanFactoryPointcutAdvisor;

/**
 * Locks the methods with {@link dev.redlock.spring.annotation.RedLock @RedLock} of all
 * beans that Spring proxies. The lock is taken after method security, {@code @Async} and
 * {@code @Retryable}, and before caches and transactions.
 */
@SuppressWarnings("serial") // The class is serializable only because its superclass is.
public final class RedLockAdvisor extends AbstractBeanFactoryPointcutAdvisor {

	/**
	 * The order of this advisor among the advisors of a proxy. Method security has orders
	 * from 100 to 600, and caches and transactions have the lowest precedence.
	 */
	public static final int ORDER = 1000;

	private final transient Pointcut pointcut;

	private final transient Supplier<List<String>> unlockedBeans;

	/**
	 * Creates the advisor. Import {@link RedLockConfiguration} to get it as a bean.
	 */
	public RedLockAdvisor(Pointcut pointcut, Advice advice, Supplier<List<String>> unlockedBeans) {
		this.pointcut = pointcut;
		this.unlockedBeans = unlockedBeans;
		setAdvice(advice);
		setOrder(ORDER);
	}

	@Override
	public Pointcut getPointcut() {
		return this.pointcut;
	}

	/**
	 * Returns the names of beans whose {@code @RedLock} methods run without a lock,
	 * because no proxy of the bean has this advisor. Spring makes no proxy for a bean
	 * that a post-processor needs, or for an object registered as a singleton. Mockito
	 * mocks need no lock.
	 */
	public List<String> unlockedBeans() {
		return this.unlockedBeans.get();
	}

}
