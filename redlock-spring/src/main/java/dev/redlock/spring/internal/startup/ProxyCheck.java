package dev.redlock.spring.internal.startup;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import dev.redlock.LockLostAfterCommitException;
import dev.redlock.LossReason;
import dev.redlock.spring.annotation.RedLock.OnLoss;
import dev.redlock.spring.interceptor.AnnotatedMethod;
import dev.redlock.spring.interceptor.RedLockAdvisor;
import dev.redlock.spring.internal.transaction.LeasesHeldByTransaction;
import org.aopalliance.aop.Advice;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.core.KotlinDetector;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.resilience.retry.AbstractRetryInterceptor;
import org.springframework.resilience.retry.MethodRetrySpec;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.util.ClassUtils;
import org.springframework.util.ExceptionTypeFilter;
import org.springframework.util.ReflectionUtils;

/**
 * Checks at startup that the proxy of a bean can lock the methods with {@code @RedLock}.
 */
final class ProxyCheck {

	private static final String PLACE = "place";

	private ProxyCheck() {
	}

	static void checkMethod(AnnotatedMethod method) {
		int modifiers = method.method().getModifiers();
		method.refuseIf(Modifier.isStatic(modifiers), PLACE, "the method is static, and no proxy can lock it.",
				"Make the method an instance method of a bean, or use RedLockTemplate.");
		method.refuseIf(Modifier.isPrivate(modifiers), PLACE, "the method is private, and no proxy can lock it.",
				"Move the method to another bean and make it public, use RedLockTemplate, or weave RedLockAspect.");
		method.refuseIf(MergedAnnotations.from(method.method()).isPresent(Bean.class), PLACE,
				"the method is a @Bean method. The lock would not be held when the methods of the bean are called.",
				instead(method, "Annotate the methods of the bean"));
	}

	/**
	 * A bean of a final class is allowed if a JDK proxy of its interfaces locks the
	 * method.
	 */
	static void checkClass(AnnotatedMethod method, boolean proxyTargetClass) {
		Class<?> type = method.targetClass();
		boolean byInterfaces = Proxy.isProxyClass(type) || ClassUtils.isLambdaClass(type)
				|| (!proxyTargetClass && isOnInterface(method, ClassUtils.getAllInterfacesForClass(type)));
		method.refuseIf(Modifier.isFinal(type.getModifiers()) && !byInterfaces, PLACE,
				"the bean is of a " + (type.isRecord() ? "record" : "final class")
						+ ", and the proxy cannot extend it.",
				notFinal(method, type.isRecord() ? "Make the record a class" : "Make the class of the bean not final")
						+ ", or use RedLockTemplate.");
	}

	static void checkProxy(AnnotatedMethod method, Object proxy, LockedBeans lock) {
		method.refuseIf(isKotlinOverload(method.method()), PLACE,
				"@JvmOverloads copies @RedLock to the overloads that it generates, which are final.",
				"Remove @JvmOverloads, and write the overloads without @RedLock as functions that call this function.");
		method.refuseIf(!lock.mayLock(proxy), PLACE,
				"Spring makes no proxy for the bean, for example because it is an aspect.",
				instead(method, "Move the method to another bean"));
		method.refuseIf(AopUtils.isCglibProxy(proxy) && Modifier.isFinal(method.method().getModifiers()), PLACE,
				"the method is final, and the proxy cannot override it.",
				instead(method, notFinal(method, "Remove final")));
		method.refuseIf(AopUtils.isCglibProxy(proxy) && isPackagePrivate(method.method())
				&& !method.method().getDeclaringClass().getPackageName().equals(method.targetClass().getPackageName()),
				PLACE,
				"the method is package-private in another package than the bean, and the proxy cannot override it.",
				instead(method, "Make the method public"));
		method.refuseIf(
				AopUtils.isJdkDynamicProxy(proxy) && method.direct()
						&& !isOnInterface(method, AopProxyUtils.proxiedUserInterfaces(proxy)),
				PLACE, "the bean is proxied by its interfaces, and none of them has the method.",
				"Add the method to an interface, or set spring.aop.proxy-target-class=true.");
		List<Advice> before = lock.adviceBeforeLock(proxy, method);
		method.refuseIf(
				method.annotation().getEnum("onLoss", OnLoss.class) != OnLoss.IGNORE
						&& before.stream().anyMatch((advice) -> repeatsCommittedWork(advice, method)),
				PLACE, "a retry repeats work that may be committed: the lock can be lost when the work is done.",
				"Write @Retryable(excludes = LockLostAfterCommitException.class) on the method or on its class.");
		method.refuseIf(
				LeasesHeldByTransaction.SPRING_TX_PRESENT && before.stream().anyMatch(Transactions::isTransaction),
				PLACE, "the transaction begins before the lock is taken, so the method could read outdated data.",
				"Remove the order of @EnableTransactionManagement, or set an order above " + RedLockAdvisor.ORDER
						+ ", the order of the lock.");
	}

	/**
	 * Whether {@code @Retryable} repeats a method after a
	 * {@link LockLostAfterCommitException}.
	 */
	private static boolean repeatsCommittedWork(Advice advice, AnnotatedMethod method) {
		if (!(advice instanceof AbstractRetryInterceptor)) {
			return false;
		}
		Method specOf = Objects.requireNonNull(
				ReflectionUtils.findMethod(AbstractRetryInterceptor.class, "getRetrySpec", Method.class, Class.class));
		ReflectionUtils.makeAccessible(specOf);
		MethodRetrySpec retry = (MethodRetrySpec) ReflectionUtils.invokeMethod(specOf, advice, method.method(),
				method.targetClass());
		Throwable loss = new LockLostAfterCommitException(Set.of("resource"), LossReason.EXPIRED);
		return retry != null && new ExceptionTypeFilter(retry.includes(), retry.excludes()).match(loss)
				&& retry.predicate().shouldRetry(method.method(), loss);
	}

	/**
	 * The error message has different advice for Kotlin, whose classes and functions are
	 * final unless they are declared open.
	 */
	private static String notFinal(AnnotatedMethod method, String action) {
		return KotlinDetector.isKotlinType(method.targetClass())
				? "Declare the class and the method open, or apply the compiler plugin kotlin-spring (all-open for a "
						+ "class without annotations of Spring)"
				: action;
	}

	/**
	 * Whether Kotlin generated the method from a function with default arguments, which a
	 * proxy can override.
	 */
	private static boolean isKotlinOverload(Method method) {
		return KotlinDetector.isKotlinType(method.getDeclaringClass()) && Modifier.isFinal(method.getModifiers())
				&& Stream.of(method.getDeclaringClass().getDeclaredMethods())
					.anyMatch((other) -> other.getName().equals(method.getName())
							&& other.getParameterCount() > method.getParameterCount() && !other.isSynthetic()
							&& !Modifier.isFinal(other.getModifiers()))
				&& Stream.of(method.getDeclaringClass().getDeclaredMethods())
					.anyMatch((other) -> other.getName().equals(method.getName() + "$default"));
	}

	private static boolean isPackagePrivate(Method method) {
		return (method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED | Modifier.PRIVATE)) == 0;
	}

	private static String instead(AnnotatedMethod method, String action) {
		return action + (method.direct() ? ", or use RedLockTemplate."
				: ", or annotate the methods to lock instead of the type.");
	}

	private static boolean isOnInterface(AnnotatedMethod annotated, Class<?>[] interfaces) {
		Method method = annotated.method();
		return Arrays.stream(interfaces)
			.flatMap((type) -> Arrays.stream(type.getMethods()))
			.anyMatch((candidate) -> candidate.getName().equals(method.getName())
					&& AopUtils.getMostSpecificMethod(candidate, annotated.targetClass()).equals(method));
	}

	/**
	 * Keeps the types of spring-tx out of {@code ProxyCheck}, which must load without
	 * spring-tx.
	 */
	private static final class Transactions {

		static boolean isTransaction(Advice advice) {
			return advice instanceof TransactionAspectSupport;
		}

	}

}
