package dev.redlock.spring.interceptor;

import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

import dev.redlock.Redlock;
import dev.redlock.spring.template.RedLockOperations;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.Ordered;
import org.springframework.util.function.SingletonSupplier;

/**
 * Gives each bean with {@link dev.redlock.spring.annotation.RedLock @RedLock} a proxy
 * that locks, or lets the proxy that it has do so, and checks the annotations when the
 * bean is created. Needs neither AspectJ nor {@code spring.aop.auto}.
 * <p>
 * The lock goes in front of all advice that is there, so it is outside of transactions
 * and caches. This runs just before the post-processors for {@code @Async} and
 * {@code @Retryable} in their default order, so these go in front of the lock.
 */
@SuppressWarnings("serial") // Serializable only by inheritance.
public final class RedLockBeanPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor
		implements SmartInitializingSingleton {

	/**
	 * {@code @EnableAsync} is last by default, {@code @EnableResilientMethods} last but
	 * one. Who runs later ends up further outside.
	 */
	private static final int BEFORE_ASYNC_AND_RETRY = Ordered.LOWEST_PRECEDENCE - 2;

	private final transient Supplier<RedLockOperations> operations;

	private final transient ObjectProvider<Redlock> redlock;

	/**
	 * Annotations of beans that were created before the lock may be.
	 */
	private final transient Queue<RedLockSpec> unchecked = new ConcurrentLinkedQueue<>();

	private transient @Nullable RedLockSpecs specs;

	private volatile boolean started;

	/**
	 * Creates the post-processor. Neither bean is asked for before all singletons are
	 * there or a locked method is called.
	 * @param operations runs methods under their lock
	 * @param redlock knows which requests could succeed; may be missing
	 */
	public RedLockBeanPostProcessor(ObjectProvider<RedLockOperations> operations, ObjectProvider<Redlock> redlock) {
		this.operations = SingletonSupplier.of(operations::getObject);
		this.redlock = redlock;
		setBeforeExistingAdvisors(true);
		setOrder(BEFORE_ASYNC_AND_RETRY);
	}

	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		super.setBeanFactory(beanFactory);
		RedLockSpecs all = new RedLockSpecs(new RedLockSpecReader((ConfigurableBeanFactory) beanFactory));
		this.specs = all;
		this.advisor = new DefaultPointcutAdvisor(new RedLockPointcut(all),
				new RedLockInterceptor(all, new BeanFactoryResolver(beanFactory), this.operations));
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		List<RedLockSpec> found = specsOf(bean);
		if (found.isEmpty()) {
			return bean;
		}
		found.forEach((spec) -> ProxyCheck.checkMethod(spec.method()));
		Object proxy = proxy(bean, beanName, found.get(0).method());
		found.forEach((spec) -> ProxyCheck.checkProxy(spec.method(), proxy));
		this.unchecked.addAll(found);
		if (this.started) {
			checkRequests();
		}
		return proxy;
	}

	/**
	 * Checks the annotations of all beans against the settings of the lock.
	 */
	@Override
	public void afterSingletonsInstantiated() {
		this.started = true;
		checkRequests();
	}

	private List<RedLockSpec> specsOf(Object bean) {
		if (this.specs == null || bean instanceof AopInfrastructureBean) {
			return List.of();
		}
		return this.specs.findAll(AopProxyUtils.ultimateTargetClass(bean));
	}

	private Object proxy(Object bean, String beanName, AnnotatedMethod method) {
		try {
			return super.postProcessAfterInitialization(bean, beanName);
		}
		catch (AopConfigException ex) {
			if (Modifier.isFinal(method.targetClass().getModifiers()) && !AopUtils.isAopProxy(bean)) {
				throw ProxyCheck.finalClass(method, ex);
			}
			throw ex;
		}
	}

	private void checkRequests() {
		if (this.unchecked.isEmpty()) {
			return;
		}
		// Better missing now than with the first call.
		this.operations.get();
		Redlock lock = this.redlock.getIfAvailable();
		for (RedLockSpec spec = this.unchecked.poll(); spec != null; spec = this.unchecked.poll()) {
			spec.invoker().prepare();
			if (lock != null) {
				check(spec, lock);
			}
		}
	}

	private static void check(RedLockSpec spec, Redlock lock) {
		try {
			lock.check(spec.constants());
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRedLockException(spec.method(), "attributes", String.valueOf(ex.getMessage()),
					"Change the annotation or the redlock.* properties.", ex);
		}
	}

}
