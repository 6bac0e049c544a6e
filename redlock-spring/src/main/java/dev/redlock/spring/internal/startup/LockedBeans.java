package dev.redlock.spring.internal.startup;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import dev.redlock.spring.interceptor.AnnotatedMethod;
import dev.redlock.spring.interceptor.LockedMethodExtension;
import dev.redlock.spring.interceptor.RedLockAdvisor;
import dev.redlock.spring.internal.call.RedLockInterceptor;
import dev.redlock.spring.internal.call.RedLockSpec;
import dev.redlock.spring.internal.method.Weaving;
import dev.redlock.spring.internal.read.RedLockSpecs;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.mockito.Mockito;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * The beans of an application context with {@code @RedLock} methods, and what locks them.
 */
final class LockedBeans {

	private static final boolean MOCKITO_PRESENT = ClassUtils.isPresent("org.mockito.Mockito",
			LockedBeans.class.getClassLoader());

	private final ConfigurableListableBeanFactory beans;

	private final RedLockSpecs specs;

	private final RedLockInterceptor interceptor;

	private final RedLockAdvisor advisor;

	LockedBeans(ConfigurableListableBeanFactory beans) {
		this.beans = beans;
		this.specs = new RedLockSpecs(beans);
		this.interceptor = new RedLockInterceptor(this.specs::find, beans);
		this.advisor = new RedLockAdvisor(new LockedMethods(), this.interceptor, this::unlocked);
	}

	List<String> unlocked() {
		return Arrays.stream(this.beans.getSingletonNames())
			.filter((name) -> isUnlocked(singleton(name)))
			.sorted()
			.toList();
	}

	/**
	 * Returns the object of a factory bean, such as a repository, only if the object has
	 * methods to lock, because others may still be uncreated.
	 */
	private @Nullable Object singleton(String name) {
		Object bean = this.beans.getSingleton(name);
		return (bean instanceof FactoryBean<?> factory && factory.isSingleton()
				&& hasLockedMethods(factory.getObjectType())) ? this.beans.getBean(name) : bean;
	}

	/**
	 * Creates the {@link LockedMethodExtension} beans on the main thread, because a bean
	 * that Spring creates in the background must not create others.
	 */
	void createExtensions() {
		this.specs.createExtensions();
	}

	RedLockAdvisor advisor() {
		return this.advisor;
	}

	RedLockInterceptor interceptor() {
		return this.interceptor;
	}

	List<RedLockSpec> find(Object bean) {
		Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
		// The class of a JDK proxy is not searched for @RedLock, because the proxy has
		// more methods than the bean.
		List<RedLockSpec> found = Proxy.isProxyClass(type) ? List.of() : this.specs.findAll(type);
		if (!found.isEmpty() || !Proxy.isProxyClass(bean.getClass())) {
			return found;
		}
		// The interfaces of a proxy are searched, because the target of a repository's
		// proxy does not implement the repository interface.
		return Arrays.stream(AopProxyUtils.proxiedUserInterfaces(bean))
			.flatMap((each) -> this.specs.findAll(each).stream())
			.toList();
	}

	List<Advice> adviceBeforeLock(Object bean, AnnotatedMethod method) {
		List<Advice> advice = new ArrayList<>();
		for (Object current = bean; current instanceof Advised proxy; current = AopProxyUtils
			.getSingletonTarget(proxy)) {
			for (Advisor each : proxy.getAdvisors()) {
				if (each == this.advisor) {
					return advice;
				}
				if (!(each instanceof PointcutAdvisor pointcut)
						|| pointcut.getPointcut().getMethodMatcher().matches(method.method(), method.targetClass())) {
					advice.add(each.getAdvice());
				}
			}
		}
		return List.of();
	}

	/**
	 * Returns false only if it is certain that no proxy of the bean locks its methods.
	 */
	boolean mayLock(@Nullable Object bean) {
		return (bean instanceof Advised proxy) ? Arrays.asList(proxy.getAdvisors()).contains(this.advisor)
				|| mayLock(AopProxyUtils.getSingletonTarget(proxy)) : bean == null || AopUtils.isAopProxy(bean);
	}

	boolean isUnlocked(@Nullable Object bean) {
		return bean != null && !(bean instanceof AopInfrastructureBean) && !mayLock(bean) && !isMock(bean)
				&& find(bean).stream().anyMatch((spec) -> !Weaving.isWoven(spec.method()));
	}

	private static boolean isMock(Object bean) {
		return MOCKITO_PRESENT && Mockito.mockingDetails(bean).isMock();
	}

	/**
	 * Whether beans of the type have {@code @RedLock} methods that only a proxy can lock.
	 */
	boolean hasLockedMethods(@Nullable Class<?> type) {
		return type != null && this.specs.methods(type).stream().anyMatch((method) -> !Weaving.isWoven(method));
	}

	/**
	 * This pointcut reads no attributes of {@code @RedLock}, because their placeholders
	 * may have no values during ahead-of-time processing.
	 */
	private final class LockedMethods extends StaticMethodMatcherPointcut {

		private LockedMethods() {
			setClassFilter((type) -> Proxy.isProxyClass(type)
					? Stream.of(type.getInterfaces()).anyMatch(this::needProxy) : needProxy(type));
		}

		@Override
		public boolean matches(Method method, Class<?> targetClass) {
			return AnnotatedMethod.find(method, targetClass).isPresent();
		}

		/**
		 * Woven methods also get a proxy, because only a proxy takes the lock before a
		 * transaction begins.
		 */
		private boolean needProxy(Class<?> type) {
			return LockedBeans.this.specs.methods(type)
				.stream()
				.anyMatch((method) -> !Modifier.isFinal(type.getModifiers()) || !Weaving.isWoven(method));
		}

	}

}
