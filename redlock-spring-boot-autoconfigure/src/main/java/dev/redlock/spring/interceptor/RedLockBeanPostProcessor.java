package dev.redlock.spring.interceptor;

import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
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
import org.springframework.beans.factory.DisposableBean;
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
		implements SmartInitializingSingleton, DisposableBean {

	/**
	 * {@code @EnableAsync} is last by default, {@code @EnableResilientMethods} last but
	 * one. Who runs later ends up further outside.
	 */
	private static final int BEFORE_ASYNC_AND_RETRY = Ordered.LOWEST_PRECEDENCE - 2;

	private final transient Supplier<RedLockOperations> operations;

	private final transient ObjectProvider<Redlock> redlock;

	/**
	 * Beans that were created before all singletons were there, and so before the lock
	 * may be asked for.
	 */
	private final transient Queue<LockedBean> unchecked = new ConcurrentLinkedQueue<>();

	private transient Supplier<ResourceNameResolver> resolver = () -> LockCall.AS_THE_ANNOTATION_SAYS;

	private transient @Nullable ConfigurableBeanFactory beans;

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
		ObjectProvider<ResourceNameResolver> resolvers = beanFactory.getBeanProvider(ResourceNameResolver.class);
		this.resolver = SingletonSupplier.of(() -> resolvers.getIfAvailable(() -> LockCall.AS_THE_ANNOTATION_SAYS));
		this.beans = (ConfigurableBeanFactory) beanFactory;
		this.specs = new RedLockSpecs(new RedLockSpecReader(this.beans));
		this.interceptor = new RedLockInterceptor(this.specs, new BeanFactoryResolver(beanFactory), this.operations,
				this.resolver);
		this.advisor = new DefaultPointcutAdvisor(new RedLockPointcut(), this.interceptor);
		Weaving.connect(this.interceptor);
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		List<RedLockSpec> found = specsOf(bean);
		if (found.isEmpty()) {
			return bean;
		}
		LockedBean locked = new LockedBean(beanName, found);
		List<AnnotatedMethod> toProxy = locked.methods().stream().filter((method) -> !Weaving.isWoven(method)).toList();
		toProxy.forEach(ProxyCheck::checkMethod);
		Object proxy = proxy(bean, beanName, toProxy);
		toProxy.forEach((method) -> ProxyCheck.checkProxy(method, proxy));
		restoreOrder(locked, proxy);
		this.unchecked.add(locked);
		// Only this bean's own annotations, so that no mistake of another bean is thrown
		// here.
		if (this.started && this.unchecked.remove(locked)) {
			check(locked);
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
		for (LockedBean bean = this.unchecked.poll(); bean != null; bean = this.unchecked.poll()) {
			check(bean);
			if (this.beans != null && this.beans.containsSingleton(bean.name())) {
				restoreOrder(bean, this.beans.getBean(bean.name()));
			}
		}
	}

	/**
	 * Disconnects woven methods, which have no lock from then on.
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
		// The target of a proxy need not implement its interfaces, as with repositories.
		return Arrays.stream(AopProxyUtils.proxiedUserInterfaces(bean))
			.flatMap((type) -> all.findAll(type).stream())
			.toList();
	}

	/**
	 * Creates the proxy. Woven methods get one too, because it puts the lock outside of
	 * transactions, but they are locked without it.
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

	private void restoreOrder(LockedBean locked, Object proxy) {
		if (this.advisor != null) {
			new AdviceOrder(this.advisor, getProxyClassLoader()).restore(locked.name(), proxy, locked.methods());
		}
	}

	private void check(LockedBean bean) {
		// A bean that is missing is found here instead of with the first call.
		this.operations.get();
		this.resolver.get();
		Redlock lock = this.redlock.getIfAvailable();
		for (RedLockSpec spec : bean.specs()) {
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

	private record LockedBean(String name, List<RedLockSpec> specs) {

		List<AnnotatedMethod> methods() {
			return this.specs.stream().map(RedLockSpec::method).toList();
		}

	}

}
