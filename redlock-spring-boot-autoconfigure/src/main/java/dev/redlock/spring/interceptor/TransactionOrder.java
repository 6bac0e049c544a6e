package dev.redlock.spring.interceptor;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.util.ClassUtils;

/**
 * Finds beans whose transaction was put around the lock by a post-processor that ran
 * after ours, and puts the lock outside again. Loads without spring-tx.
 */
final class TransactionOrder {

	private static final Logger logger = LoggerFactory.getLogger(RedLockBeanPostProcessor.class);

	private static final String TRANSACTION_ADVICE = "org.springframework.transaction.interceptor.TransactionAspectSupport";

	private final Advisor lock;

	private final @Nullable Class<?> transactionAdvice;

	TransactionOrder(Advisor lock, @Nullable ClassLoader classLoader) {
		this.lock = lock;
		this.transactionAdvice = ClassUtils.isPresent(TRANSACTION_ADVICE, classLoader)
				? ClassUtils.resolveClassName(TRANSACTION_ADVICE, classLoader) : null;
	}

	/**
	 * Puts the lock in front of the transaction, and says so.
	 * @param beanName the name of the bean
	 * @param bean the bean with all its proxies
	 * @param methods its locked methods
	 */
	void restore(String beanName, Object bean, List<AnnotatedMethod> methods) {
		List<Place> chain = chain(bean);
		Place locked = first(chain, (place) -> place.advisor() == this.lock);
		Place transactional = first(chain, (place) -> isTransaction(place.advisor(), methods));
		if (locked == null || transactional == null || chain.indexOf(transactional) > chain.indexOf(locked)) {
			return;
		}
		String found = "The transaction of the bean '" + beanName + "' (" + methods.get(0).targetClass().getName()
				+ ") was around its lock: it would begin before the lock is there and could read what is outdated by"
				+ " then.";
		try {
			move(locked.proxy(), transactional.proxy(), transactional.advisor());
			logger.warn("{} The lock has been put outside. A post-processor or proxy creator that adds the transaction"
					+ " runs after that of @RedLock: give it a higher precedence.", found);
		}
		catch (AopConfigException ex) {
			logger.warn("{} The proxy is frozen and cannot be changed. Give the post-processor or proxy creator that"
					+ " adds the transaction a higher precedence than that of @RedLock.", found);
		}
	}

	private void move(Advised from, Advised to, Advisor transaction) {
		if (from != to) {
			to.addAdvisor(to.indexOf(transaction), this.lock);
			from.removeAdvisor(this.lock);
			return;
		}
		to.removeAdvisor(this.lock);
		to.addAdvisor(to.indexOf(transaction), this.lock);
	}

	private boolean isTransaction(Advisor advisor, List<AnnotatedMethod> methods) {
		if (this.transactionAdvice == null || !this.transactionAdvice.isInstance(advisor.getAdvice())) {
			return false;
		}
		return !(advisor instanceof PointcutAdvisor pointcut) || methods.stream()
			.anyMatch((each) -> pointcut.getPointcut().getMethodMatcher().matches(each.method(), each.targetClass()));
	}

	/**
	 * All advice in the order in which a call meets it, through proxies around proxies.
	 */
	private static List<Place> chain(Object bean) {
		List<Place> chain = new ArrayList<>();
		Object current = bean;
		while (current instanceof Advised proxy) {
			for (Advisor advisor : proxy.getAdvisors()) {
				chain.add(new Place(proxy, advisor));
			}
			current = AopProxyUtils.getSingletonTarget(current);
		}
		return chain;
	}

	private static @Nullable Place first(List<Place> chain, Predicate<Place> test) {
		return chain.stream().filter(test).findFirst().orElse(null);
	}

	private record Place(Advised proxy, Advisor advisor) {

	}

}
