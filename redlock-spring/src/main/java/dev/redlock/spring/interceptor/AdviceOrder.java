package dev.redlock.spring.interceptor;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.util.ClassUtils;

/**
 * Moves the lock of a bean behind the checks of Spring Security, so that only those who
 * may call a method can lock it. If another post-processor has put the lock in front of
 * {@code @Async} or behind the transaction, moves it back and warns of it. Loads without
 * spring-tx and Spring Security.
 */
final class AdviceOrder {

	private static final Logger logger = LoggerFactory.getLogger(RedLockBeanPostProcessor.class);

	private static final String TRANSACTION = "org.springframework.transaction.interceptor.TransactionAspectSupport";

	private static final String SECURITY = "org.springframework.security.";

	private final Advisor lock;

	private final Predicate<Advisor> transaction;

	AdviceOrder(Advisor lock, @Nullable ClassLoader classLoader) {
		this.lock = lock;
		Class<?> advice = ClassUtils.isPresent(TRANSACTION, classLoader)
				? ClassUtils.resolveClassName(TRANSACTION, classLoader) : null;
		this.transaction = (advisor) -> advice != null && advice.isInstance(advisor.getAdvice());
	}

	/**
	 * Restores the order. A transaction around {@code @Async} may be around the lock too:
	 * the work does not run in it.
	 * @param beanName the name of the bean
	 * @param bean the bean with all its proxies
	 * @param methods its locked methods
	 */
	void restore(String beanName, Object bean, List<AnnotatedMethod> methods) {
		List<Place> chain = chain(bean, methods);
		int lock = indexOf(chain, (advisor) -> advisor == this.lock);
		int async = indexOf(chain, (advisor) -> advisor.getAdvice() instanceof AsyncExecutionInterceptor);
		int transaction = indexOf(chain, this.transaction);
		String name = "the bean '" + beanName + "' (" + methods.get(0).targetClass().getName() + ")";
		if (lock >= 0 && lock < async) {
			move("The lock of " + name + " was around its @Async: it would be released before the work begins.",
					chain.get(lock), chain.get(async), 1,
					"@EnableAsync runs before the post-processor of @RedLock: leave its order out.");
		}
		else if (transaction >= 0 && transaction < lock && async < transaction) {
			move("The transaction of " + name + " was around its lock: it could read outdated data.", chain.get(lock),
					chain.get(transaction), 0,
					"The post-processor that adds the transaction runs after that of @RedLock: give it a higher precedence.");
		}
		else if (lock >= 0) {
			moveBehindChecks(chain, lock, (transaction >= 0) ? transaction : chain.size());
		}
	}

	private void moveBehindChecks(List<Place> chain, int lock, int transaction) {
		for (int last = transaction - 1; last > lock; last--) {
			if (chain.get(last).advisor().getAdvice().getClass().getName().startsWith(SECURITY)) {
				try {
					move(chain.get(lock), chain.get(last), 1);
				}
				catch (AopConfigException ex) {
					logger.debug("The lock stays in front of the checks of Spring Security", ex);
				}
				return;
			}
		}
	}

	private void move(String found, Place from, Place to, int offset, String action) {
		try {
			move(from, to, offset);
			logger.warn("{} The lock has been put where it belongs. {}", found, action);
		}
		catch (AopConfigException ex) {
			logger.warn("{} The proxy is frozen and cannot be changed. {}", found, action);
		}
	}

	private void move(Place from, Place to, int offset) {
		if (from.proxy() == to.proxy()) {
			to.proxy().removeAdvisor(this.lock);
		}
		int place = to.proxy().indexOf(to.advisor()) + offset;
		to.proxy().addAdvisor(place, this.lock);
		if (from.proxy() != to.proxy()) {
			from.proxy().removeAdvisor(this.lock);
		}
		if (List.of(to.proxy().getAdvisors()).subList(0, place).contains(ExposeInvocationInterceptor.ADVISOR)) {
			// An aspect behind the lock finds its call by the thread, and the lock may
			// change threads.
			to.proxy().addAdvisor(place + 1, ExposeInvocationInterceptor.ADVISOR);
		}
	}

	/**
	 * All advice of the methods in the order in which a call meets it, through proxies
	 * around proxies.
	 */
	private static List<Place> chain(Object bean, List<AnnotatedMethod> methods) {
		List<Place> chain = new ArrayList<>();
		Object current = bean;
		while (current instanceof Advised proxy) {
			for (Advisor advisor : proxy.getAdvisors()) {
				if (applies(advisor, methods)) {
					chain.add(new Place(proxy, advisor));
				}
			}
			current = AopProxyUtils.getSingletonTarget(current);
		}
		return chain;
	}

	private static boolean applies(Advisor advisor, List<AnnotatedMethod> methods) {
		return !(advisor instanceof PointcutAdvisor pointcut) || methods.stream()
			.anyMatch((each) -> pointcut.getPointcut().getMethodMatcher().matches(each.method(), each.targetClass()));
	}

	private static int indexOf(List<Place> chain, Predicate<Advisor> kind) {
		return IntStream.range(0, chain.size()).filter((i) -> kind.test(chain.get(i).advisor())).findFirst().orElse(-1);
	}

	private record Place(Advised proxy, Advisor advisor) {

	}

}
