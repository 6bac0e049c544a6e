package dev.redlock.spring.interceptor;

import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
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
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.SingletonBeanRegistry;
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
		implements SmartInitializingSingleton, DisposableBean {

	/**
	 * {@code @EnableAsync} is last by default, {@code @EnableResilientMethods} last but
	 * one. Who runs later ends up further outside.
	 */
	private static final int BEFORE_ASYNC_AND_RETRY = Ordered.LOWEST_PRECEDENCE - 2;

	private final transient Supplier<RedLockOperations> operations;

	private final transient ObjectProvider<Redlock> redlock;

	/**
	 * Annotations of beans that were created before the lock may be, those of each bean
	 * together.
	 */
	private final transient Queue<List<RedLockSpec>> unchecked = new ConcurrentLinkedQueue<>();

	/**
	 * The locked methods by the names of their beans.
	 */
	private final transient Map<String, List<AnnotatedMethod>> locked = new ConcurrentHashMap<>();

	private transient @Nullable BeanFactory beans;

	private transient Supplier<ResourceNameResolver> resolver = () -> LockCall.AS_THE_ANNOTATION_SAYS;

	private transient @Nullable RedLockSpecs specs;

	private transient @Nullable RedLockInterceptor interceptor;

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
		this.beans = beanFactory;
		ObjectProvider<ResourceNameResolver> resolvers = beanFactory.getBeanProvider(ResourceNameResolver.class);
		this.resolver = SingletonSupplier.of(() -> resolvers.getIfAvailable(() -> LockCall.AS_THE_ANNOTATION_SAYS));
		RedLockSpecs all = new RedLockSpecs(new RedLockSpecReader((ConfigurableBeanFactory) beanFactory));
		this.specs = all;
		RedLockInterceptor locking = new RedLockInterceptor(all, new BeanFactoryResolver(beanFactory), this.operations,
				this.resolver);
		this.interceptor = locking;
		this.advisor = new DefaultPointcutAdvisor(new RedLockPointcut(), locking);
		Weaving.connect(locking);
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		List<RedLockSpec> found = specsOf(bean);
		if (found.isEmpty()) {
			return bean;
		}
		List<AnnotatedMethod> toProxy = found.stream()
			.map(RedLockSpec::method)
			.filter((method) -> !Weaving.isWoven(method))
			.toList();
		toProxy.forEach(ProxyCheck::checkMethod);
		Object proxy = proxy(bean, beanName, toProxy);
		toProxy.forEach((method) -> ProxyCheck.checkProxy(method, proxy));
		if (this.advisor != null) {
			new AdviceOrder(this.advisor, getProxyClassLoader()).restoreAsync(beanName, proxy,
					found.stream().map(RedLockSpec::method).toList());
		}
		if (!this.started) {
			this.locked.put(beanName, found.stream().map(RedLockSpec::method).toList());
		}
		this.unchecked.add(found);
		// Only what is this bean's own, so that no mistake of another bean is thrown
		// here.
		if (this.started && this.unchecked.remove(found)) {
			check(found);
		}
		return proxy;
	}

	/**
	 * Checks the annotations of all beans against the settings of the lock, and that
	 * nothing has put a transaction around a lock.
	 */
	@Override
	public void afterSingletonsInstantiated() {
		this.started = true;
		for (List<RedLockSpec> found = this.unchecked.poll(); found != null; found = this.unchecked.poll()) {
			check(found);
		}
		if (this.advisor != null && this.beans instanceof SingletonBeanRegistry singletons) {
			AdviceOrder order = new AdviceOrder(this.advisor, getProxyClassLoader());
			this.locked.forEach((name, methods) -> {
				if (singletons.containsSingleton(name)) {
					order.restoreTransaction(name, ((BeanFactory) singletons).getBean(name), methods);
				}
			});
		}
		this.locked.clear();
	}

	/**
	 * Woven methods have no lock from here on.
	 */
	@Override
	public void destroy() {
		if (this.interceptor != null) {
			Weaving.disconnect(this.interceptor);
		}
	}

	private List<RedLockSpec> specsOf(Object bean) {
		if (this.specs == null || bean instanceof AopInfrastructureBean) {
			return List.of();
		}
		RedLockSpecs all = this.specs;
		List<RedLockSpec> found = all.findAll(AopProxyUtils.ultimateTargetClass(bean));
		if (!found.isEmpty() || !Proxy.isProxyClass(bean.getClass())) {
			return found;
		}
		// What is behind the proxy need not implement its interfaces, as with
		// repositories.
		return Arrays.stream(AopProxyUtils.proxiedUserInterfaces(bean))
			.flatMap((type) -> all.findAll(type).stream())
			.toList();
	}

	/**
	 * Woven methods get a proxy too, since it puts the lock outside of transactions; but
	 * they can do without.
	 */
	private Object proxy(Object bean, String beanName, List<AnnotatedMethod> needed) {
		try {
			return super.postProcessAfterInitialization(bean, beanName);
		}
		catch (AopConfigException ex) {
			Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
			if (!Modifier.isFinal(type.getModifiers()) || AopUtils.isAopProxy(bean)) {
				throw ex;
			}
			if (!needed.isEmpty()) {
				throw ProxyCheck.finalClass(needed.get(0), ex);
			}
			return bean;
		}
	}

	private void check(List<RedLockSpec> found) {
		// Better missing now than with the first call.
		this.operations.get();
		this.resolver.get();
		Redlock lock = this.redlock.getIfAvailable();
		for (RedLockSpec spec : found) {
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
