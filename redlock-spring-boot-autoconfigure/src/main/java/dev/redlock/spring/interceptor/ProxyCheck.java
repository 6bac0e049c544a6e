package dev.redlock.spring.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;

/**
 * Checks that calls of an annotated method pass through the proxy of its bean.
 */
final class ProxyCheck {

	private static final String PLACE = "place";

	private ProxyCheck() {
	}

	/**
	 * Refuses a method that no proxy can lock.
	 */
	static void checkMethod(AnnotatedMethod method) {
		int modifiers = method.method().getModifiers();
		if (Modifier.isStatic(modifiers)) {
			throw new InvalidRedLockException(method, PLACE, "the method is static, and no proxy can lock it.",
					"Make it an instance method of a bean, or use RedLockTemplate inside.");
		}
		if (Modifier.isPrivate(modifiers)) {
			throw new InvalidRedLockException(method, PLACE, "the method is private, and no proxy can lock it.",
					"Move it to another bean and make it public, use RedLockTemplate inside, or weave RedLockAspect.");
		}
	}

	/**
	 * Refuses a method that this proxy cannot lock.
	 */
	static void checkProxy(AnnotatedMethod method, Object proxy) {
		if (AopUtils.isCglibProxy(proxy) && Modifier.isFinal(method.method().getModifiers())) {
			throw new InvalidRedLockException(method, PLACE, "the method is final, and the proxy cannot override it.",
					method.direct() ? "Remove final, or use RedLockTemplate inside."
							: "Remove final, or annotate the methods to lock instead of the type.");
		}
		if (AopUtils.isJdkDynamicProxy(proxy) && method.direct() && !isOnInterface(method, proxy)) {
			throw new InvalidRedLockException(method, PLACE,
					"the bean is proxied by its interfaces, and none of them has the method.",
					"Add it to an interface, or set spring.aop.proxy-target-class=true.");
		}
	}

	/**
	 * Creates the exception for a class that cannot have a subclass.
	 */
	static InvalidRedLockException finalClass(AnnotatedMethod method, Throwable cause) {
		String kind = method.targetClass().isRecord() ? "record" : "final class";
		return new InvalidRedLockException(method, PLACE,
				"the bean is of a " + kind + ", and the proxy cannot extend it.",
				"Make it a class that is not final, or use RedLockTemplate inside.", cause);
	}

	private static boolean isOnInterface(AnnotatedMethod annotated, Object proxy) {
		Method method = annotated.method();
		return Arrays.stream(AopProxyUtils.proxiedUserInterfaces(proxy))
			.flatMap((type) -> Arrays.stream(type.getMethods()))
			.anyMatch((candidate) -> candidate.getName().equals(method.getName())
					&& AopUtils.getMostSpecificMethod(candidate, annotated.targetClass()).equals(method));
	}

}
