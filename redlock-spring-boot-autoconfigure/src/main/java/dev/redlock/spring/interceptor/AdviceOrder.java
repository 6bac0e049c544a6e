package dev.redlock.spring.interceptor;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.util.ClassUtils;

/**
 * Finds beans whose advice is in another order than it should be, since a post-processor
 * ran before or after ours that should not: a transaction around the lock, or a lock
 * around {@code @Async}, under which nothing would run. Puts the lock where it belongs.
 * Loads without spring-tx.
 */
final class AdviceOrder {

	private static final Logger logger = LoggerFactory.getLogger(RedLockBeanPostProcessor.class);

	private static final String TRANSACTION_ADVICE = "org.springframework.transaction.interceptor.TransactionAspectSupport";

	private final Advisor lock;

	private final @Nullable Class<?> transactionAdvice;

	AdviceOrder(Advisor lock, @Nullable ClassLoader classLoader) {
		this.lock = lock;
		this.transactionAdvice = ClassUtils.isPresent(TRANSACTION_ADVICE, classLoader)
				? ClassUtils.resolveClassName(TRANSACTION_ADVICE, classLoader) : null;
	}

	/**
	 * Puts the lock behind {@code @Async}. Whatever adds that in front of the lock comes
	 * later, so this can be said as soon as the bean has its lock.
	 * @param beanName the name of the bean
	 * @param bean the bean with all the proxies that it has so far
	 * @param methods its locked methods
	 */
	void restoreAsync(String beanName, Object bean, List<AnnotatedMethod> methods) {
		List<Place> chain = chain(bean);
		Place async = async(chain, methods);
		if (isInOrder(chain, async, lock(chain))) {
			return;
		}
		String found = "The lock of " + name(beanName, methods)
				+ " was around its @Async: it would be released before the work begins.";
		move(found, chain, async, 1, "@EnableAsync runs before the post-processor of @RedLock: leave its order out.");
	}

	/**
	 * Puts the lock in front of the transaction. One that is around {@code @Async} is
	 * none of the work's.
	 * @param beanName the name of the bean
	 * @param bean the bean with all its proxies
	 * @param methods its locked methods
	 */
	void restoreTransaction(String beanName, Object bean, List<AnnotatedMethod> methods) {
		List<Place> chain = chain(bean);
		Place transaction = first(chain, (place) -> isTransaction(place.advisor(), methods));
		Place async = async(chain, methods);
		boolean aroundAsync = transaction != null && async != null && isInOrder(chain, transaction, async);
		if (aroundAsync || isInOrder(chain, lock(chain), transaction)) {
			return;
		}
		String found = "The transaction of " + name(beanName, methods)
				+ " was around its lock: it would begin before the lock is there and could read what is outdated by"
				+ " then.";
		move(found, chain, transaction, 0, "A post-processor or proxy creator that adds the transaction runs after that"
				+ " of @RedLock: give it a higher precedence.");
	}

	private static String name(String beanName, List<AnnotatedMethod> methods) {
		return "the bean '" + beanName + "' (" + methods.get(0).targetClass().getName() + ")";
	}

	private static @Nullable Place async(List<Place> chain, List<AnnotatedMethod> methods) {
		return first(chain, (place) -> place.advisor().getAdvice() instanceof AsyncExecutionInterceptor
				&& applies(place.advisor(), methods));
	}

	private @Nullable Place lock(List<Place> chain) {
		return first(chain, (place) -> place.advisor() == this.lock);
	}

	private static boolean isInOrder(List<Place> chain, @Nullable Place first, @Nullable Place second) {
		return first == null || second == null || chain.indexOf(first) < chain.indexOf(second);
	}

	/**
	 * Moves the lock.
	 * @param found what is wrong
	 * @param other the advice next to which it belongs
	 * @param offset 0 for in front of it, 1 for behind it
	 * @param action what to do about it
	 */
	private void move(String found, List<Place> chain, @Nullable Place other, int offset, String action) {
		Advised from = Objects.requireNonNull(lock(chain)).proxy();
		Advised to = Objects.requireNonNull(other).proxy();
		try {
			if (from == to) {
				to.removeAdvisor(this.lock);
			}
			to.addAdvisor(to.indexOf(other.advisor()) + offset, this.lock);
			if (from != to) {
				from.removeAdvisor(this.lock);
			}
			logger.warn("{} The lock has been put where it belongs. {}", found, action);
		}
		catch (AopConfigException ex) {
			logger.warn("{} The proxy is frozen and cannot be changed. {}", found, action);
		}
	}

	private boolean isTransaction(Advisor advisor, List<AnnotatedMethod> methods) {
		return this.transactionAdvice != null && this.transactionAdvice.isInstance(advisor.getAdvice())
				&& applies(advisor, methods);
	}

	private static boolean applies(Advisor advisor, List<AnnotatedMethod> methods) {
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
