package dev.redlock.spring.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.core.KotlinDetector;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * Checks that calls of an annotated method pass through the proxy of its bean.
 */
final class ProxyCheck {

	private static final String PLACE = "place";

	private ProxyCheck() {
	}

	/**
	 * Refuses a method that no proxy can lock.
	 * @param method the method
	 * @param bean the definition of the bean; null if it has none
	 */
	static void checkMethod(AnnotatedMethod method, @Nullable RootBeanDefinition bean) {
		int modifiers = method.method().getModifiers();
		method.refuseIf(Modifier.isStatic(modifiers), PLACE, "the method is static, and no proxy can lock it.",
				"Make it an instance method of a bean, or use RedLockTemplate inside.");
		method.refuseIf(Modifier.isPrivate(modifiers), PLACE, "the method is private, and no proxy can lock it.",
				"Move it to another bean and make it public, use RedLockTemplate inside, or weave RedLockAspect.");
		String callback = callback(method, bean);
		method.refuseIf(callback != null, PLACE,
				"it is " + callback + ", which Spring calls on the bean itself and not on its proxy.",
				instead(method, "Let an @EventListener for ApplicationReadyEvent call a locked method"));
		method.refuseIf(MergedAnnotations.from(method.method()).isPresent(Bean.class), PLACE,
				"it is a @Bean method. The lock would not be held when the methods of the bean are called.",
				instead(method, "Annotate the methods of the bean"));
		method.refuseIf(isMethodOfFactoryBean(method), PLACE,
				"it is a method of FactoryBean. The lock would not be held when the methods of the bean that it makes"
						+ " are called.",
				instead(method, "Annotate the methods of that bean"));
	}

	/**
	 * Refuses a method that this proxy cannot lock.
	 */
	static void checkProxy(AnnotatedMethod method, Object proxy) {
		method.refuseIf(AopUtils.isCglibProxy(proxy) && Modifier.isFinal(method.method().getModifiers()), PLACE,
				"the method is final, and the proxy cannot override it.",
				instead(method, notFinal(method, "Remove final")));
		method.refuseIf(AopUtils.isCglibProxy(proxy) && isInvisible(method.method(), proxy.getClass()), PLACE,
				"the method is package-private and inherited from " + method.method().getDeclaringClass().getName()
						+ " in another package, and the proxy cannot override it.",
				instead(method, "Make it public or protected"));
		method.refuseIf(AopUtils.isJdkDynamicProxy(proxy) && method.direct() && !isOnInterface(method, proxy), PLACE,
				"the bean is proxied by its interfaces, and none of them has the method.",
				"Add it to an interface, or set spring.aop.proxy-target-class=true.");
	}

	/**
	 * Creates the exception for a class that cannot have a subclass.
	 */
	static InvalidRedLockException finalClass(AnnotatedMethod method, Throwable cause) {
		String kind = method.targetClass().isRecord() ? "record" : "final class";
		return new InvalidRedLockException(method, PLACE,
				"the bean is of a " + kind + ", and the proxy cannot extend it.",
				notFinal(method, "Make it a class that is not final") + ", or use RedLockTemplate inside.", cause);
	}

	/**
	 * Returns how the method would be called without the proxy of its bean, null if it is
	 * not such a method.
	 */
	private static @Nullable String callback(AnnotatedMethod method, @Nullable RootBeanDefinition bean) {
		// Spring finds the methods of superclasses, and calls their overrides.
		MergedAnnotations annotations = MergedAnnotations.from(method.method(), SearchStrategy.SUPERCLASS);
		if (annotations.isPresent("jakarta.annotation.PostConstruct")) {
			return "a @PostConstruct method";
		}
		if (annotations.isPresent("jakarta.annotation.PreDestroy")) {
			return "a @PreDestroy method";
		}
		if (overrides(method, InitializingBean.class, "afterPropertiesSet")) {
			return "a method of InitializingBean";
		}
		if (overrides(method, DisposableBean.class, "destroy")) {
			return "a method of DisposableBean";
		}
		if (bean != null && isNamed(method, bean.getInitMethodNames())) {
			return "an init method of its bean";
		}
		return bean != null && (isNamed(method, bean.getDestroyMethodNames()) || isInferred(method, bean))
				? "a destroy method of its bean" : null;
	}

	/**
	 * Whether Spring takes the method for a destroy method, though nothing names it.
	 */
	private static boolean isInferred(AnnotatedMethod method, RootBeanDefinition bean) {
		Class<?> type = method.targetClass();
		String[] names = bean.getDestroyMethodNames();
		boolean inferred = (names == null) ? AutoCloseable.class.isAssignableFrom(type)
				: Arrays.asList(names).contains(AbstractBeanDefinition.INFER_METHOD);
		String name = ClassUtils.hasMethod(type, "close") ? "close" : "shutdown";
		return inferred && !DisposableBean.class.isAssignableFrom(type)
				&& Modifier.isPublic(method.method().getModifiers()) && isNamed(method, new String[] { name });
	}

	private static boolean isNamed(AnnotatedMethod method, String @Nullable [] names) {
		return names != null && method.method().getParameterCount() == 0
				&& Arrays.asList(names).contains(method.method().getName());
	}

	private static boolean isMethodOfFactoryBean(AnnotatedMethod method) {
		return Stream.of("getObject", "getObjectType", "isSingleton", "isPrototype", "isEagerInit")
			.anyMatch((name) -> overrides(method, FactoryBean.class, name));
	}

	private static boolean overrides(AnnotatedMethod method, Class<?> type, String name) {
		return type.isAssignableFrom(method.targetClass()) && method.method().getName().equals(name)
				&& method.method().getParameterCount() == 0;
	}

	/**
	 * Whether the class of a proxy cannot see a method that it inherits.
	 */
	private static boolean isInvisible(Method method, Class<?> proxy) {
		Class<?> declaring = method.getDeclaringClass();
		return (method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED | Modifier.PRIVATE)) == 0
				&& (declaring.getClassLoader() != proxy.getClassLoader()
						|| !declaring.getPackageName().equals(proxy.getPackageName()));
	}

	/**
	 * Kotlin's classes and functions are final unless they are open.
	 */
	private static String notFinal(AnnotatedMethod method, String action) {
		return KotlinDetector.isKotlinType(method.targetClass())
				? "Declare it open, or apply the compiler plugin kotlin-spring (all-open for a class without"
						+ " annotations of Spring)"
				: action;
	}

	private static String instead(AnnotatedMethod method, String action) {
		return action + (method.direct() ? ", or use RedLockTemplate inside."
				: ", or annotate the methods to lock instead of the type.");
	}

	private static boolean isOnInterface(AnnotatedMethod annotated, Object proxy) {
		Method method = annotated.method();
		return Arrays.stream(AopProxyUtils.proxiedUserInterfaces(proxy))
			.flatMap((type) -> Arrays.stream(type.getMethods()))
			.anyMatch((candidate) -> candidate.getName().equals(method.getName())
					&& AopUtils.getMostSpecificMethod(candidate, annotated.targetClass()).equals(method));
	}

}
