package dev.redlock.spring.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import dev.redlock.Redlock;
import dev.redlock.spring.template.RedLockOperations;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Pointcut;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.Ordered;

/**
 * Gives each bean with {@link dev.redlock.spring.annotation.RedLock @RedLock} a proxy
 * that locks, or adds the lock to the proxy that the bean has. Refuses annotations on
 * methods that no proxy can lock. Needs neither AspectJ nor {@code spring.aop.auto}.
 * <p>
 * The lock goes in front of all advice that is there but the checks of Spring Security,
 * so it is outside of transactions and caches. This runs just before the post-processors
 * for {@code @Async} and {@code @Retryable} in their default order, so these go in front
 * of the lock.
 */
// Serializable only by inheritance. Spring calls setBeanFactory before all else.
@SuppressWarnings({ "serial", "NullAway.Init" })
public final class RedLockBeanPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor
		implements SmartInitializingSingleton, DisposableBean {

	/**
	 * {@code @EnableAsync} is last by default, {@code @EnableResilientMethods} last but
	 * one. The advice of a later post-processor ends up further outside.
	 */
	private static final int BEFORE_ASYNC_AND_RETRY = Ordered.LOWEST_PRECEDENCE - 2;

	private final transient ObjectProvider<RedLockOperations> operations;

	private final transient ObjectProvider<Redlock> redlock;

	private transient ConfigurableListableBeanFactory beans;

	private transient RedLockSpecs specs;

	private transient RedLockInterceptor interceptor;

	private transient StartCheck check;

	/**
	 * Creates the post-processor. It resolves neither bean before all singletons are
	 * there or a locked method is called.
	 * @param operations runs methods under their lock
	 * @param redlock knows which requests could succeed; may be missing
	 */
	public RedLockBeanPostProcessor(ObjectProvider<RedLockOperations> operations, ObjectProvider<Redlock> redlock) {
		this.operations = operations;
		this.redlock = redlock;
		setBeforeExistingAdvisors(true);
		setOrder(BEFORE_ASYNC_AND_RETRY);
	}

	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		super.setBeanFactory(beanFactory);
		this.beans = (ConfigurableListableBeanFactory) beanFactory;
		this.specs = new RedLockSpecs(this.beans);
		this.interceptor = new RedLockInterceptor(this.specs, this.beans, this.operations);
		this.advisor = new DefaultPointcutAdvisor(pointcut(), this.interceptor);
		AdviceOrder order = new AdviceOrder(this.advisor, getProxyClassLoader());
		this.check = new StartCheck(this.interceptor, this.redlock, order);
		Weaving.connect(this.interceptor);
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof AopInfrastructureBean || bean instanceof LockedMethodExtension) {
			return bean;
		}
		List<RedLockSpec> found = find(bean);
		if (found.isEmpty()) {
			return bean;
		}
		List<AnnotatedMethod> toProxy = found.stream()
			.map(RedLockSpec::method)
			.filter((method) -> !Weaving.isWoven(method))
			.toList();
		RootBeanDefinition definition = definition(bean, beanName);
		toProxy.forEach((method) -> ProxyCheck.checkMethod(method, definition));
		Object proxy = proxy(bean, beanName, toProxy);
		toProxy.forEach((method) -> ProxyCheck.checkProxy(method, proxy));
		this.check.created(beanName, proxy, found);
		found.forEach((spec) -> created(beanName, spec));
		return proxy;
	}

	/**
	 * Checks the annotations of all beans.
	 */
	@Override
	public void afterSingletonsInstantiated() {
		this.check.start(this.beans);
	}

	/**
	 * Returns the singletons with annotated methods that run without their lock, because
	 * calls pass through no proxy of this post-processor: it came after the bean, or the
	 * bean was registered as an instance. A mock is one of them.
	 * @return the names of the beans, in alphabetical order
	 */
	public List<String> unlockedBeans() {
		return Arrays.stream(this.beans.getSingletonNames())
			.filter((name) -> isUnlocked(this.beans.getSingleton(name)))
			.sorted()
			.toList();
	}

	/**
	 * Disconnects woven methods, which have no lock from then on.
	 */
	@Override
	public void destroy() {
		Weaving.disconnect(this.interceptor);
	}

	/**
	 * Does not read attributes, because ahead of time their placeholders may have no
	 * values yet.
	 */
	private static Pointcut pointcut() {
		return new StaticMethodMatcherPointcut() {

			@Override
			public boolean matches(Method method, Class<?> targetClass) {
				return AnnotatedMethod.find(method, targetClass).isPresent();
			}

		};
	}

	/**
	 * Returns the definition that names the callbacks of a bean. What a factory makes
	 * goes by the definition of the factory, which names those of the factory.
	 */
	private @Nullable RootBeanDefinition definition(Object bean, String name) {
		if (!this.beans.containsBeanDefinition(name)
				|| (this.beans.isFactoryBean(name) && !(bean instanceof FactoryBean))) {
			return null;
		}
		return (RootBeanDefinition) this.beans.getMergedBeanDefinition(name);
	}

	private static void created(String beanName, RedLockSpec spec) {
		if (spec.runner() != null) {
			LockText name = spec.resources().get(0);
			spec.runner().created(beanName, name.isConstant() ? name.text() : null);
		}
	}

	private boolean isUnlocked(@Nullable Object bean) {
		return bean != null && !(bean instanceof AopInfrastructureBean) && !mayLock(bean)
				&& find(bean).stream().anyMatch((spec) -> !Weaving.isWoven(spec.method()));
	}

	/**
	 * Whether a bean has the lock, or is a proxy that does not show what it has.
	 */
	private boolean mayLock(Object bean) {
		Object current = bean;
		while (current instanceof Advised proxy) {
			if (Arrays.stream(proxy.getAdvisors()).anyMatch((each) -> each == this.advisor)) {
				return true;
			}
			current = AopProxyUtils.getSingletonTarget(proxy);
		}
		return current == null || AopUtils.isAopProxy(current);
	}

	private List<RedLockSpec> find(Object bean) {
		Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
		// Not all methods of a proxy's class are those of its user.
		List<RedLockSpec> found = Proxy.isProxyClass(type) ? List.of() : this.specs.findAll(type);
		if (!found.isEmpty() || !Proxy.isProxyClass(bean.getClass())) {
			return found;
		}
		// The target of a proxy need not implement its interfaces, as with repositories.
		return Arrays.stream(AopProxyUtils.proxiedUserInterfaces(bean))
			.flatMap((each) -> this.specs.findAll(each).stream())
			.toList();
	}

	/**
	 * Creates the proxy. Woven methods get one too, because it puts the lock outside of
	 * transactions, but they are locked without it.
	 */
	private Object proxy(Object bean, String beanName, List<AnnotatedMethod> needed) {
		try {
			return (bean instanceof Advised made && made.getTargetClass() == null) ? proxyOf(bean, beanName)
					: super.postProcessAfterInitialization(bean, beanName);
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

	/**
	 * Creates a proxy around another one without a target, such as a client over HTTP,
	 * whose advice is not asked for methods that its interface inherits.
	 */
	private Object proxyOf(Object bean, String beanName) {
		ProxyFactory factory = prepareProxyFactory(bean, beanName);
		factory.setInterfaces(AopProxyUtils.proxiedUserInterfaces(bean));
		factory.addAdvisor(Objects.requireNonNull(this.advisor));
		return factory.getProxy(getProxyClassLoader());
	}

}
