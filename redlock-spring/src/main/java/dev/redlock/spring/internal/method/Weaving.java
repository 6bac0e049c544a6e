package dev.redlock.spring.internal.method;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;

import dev.redlock.spring.interceptor.AnnotatedMethod;
import dev.redlock.spring.interceptor.RedLockAspect;
import dev.redlock.spring.internal.weaving.WovenCalls;
import org.aopalliance.intercept.MethodInterceptor;
import org.aspectj.lang.Aspects;
import org.aspectj.lang.JoinPoint;
import org.aspectj.lang.reflect.MethodSignature;

import org.springframework.core.KotlinDetector;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Connects the Spring interceptors of this process with {@link RedLockAspect}. Without
 * AspectJ, this class can be loaded, and no method counts as woven.
 */
public final class Weaving {

	private static final boolean PRESENT = ClassUtils.isPresent("org.aspectj.lang.Aspects",
			Weaving.class.getClassLoader());

	private Weaving() {
	}

	public static boolean isAspectWoven() {
		return PRESENT && Aspects.hasAspect(RedLockAspect.class);
	}

	/**
	 * Returns false for a suspending function, because the aspect cannot replace the
	 * function's result by a publisher.
	 */
	public static boolean isWoven(AnnotatedMethod method) {
		return isAspectWoven() && !KotlinDetector.isSuspendingFunction(method.method())
				&& Arrays.stream(method.method().getDeclaringClass().getDeclaredFields())
					.filter((field) -> field.getType() == JoinPoint.StaticPart.class)
					.anyMatch((field) -> isExecutionOf(method.method(), field));
	}

	public static void connect(MethodInterceptor interceptor) {
		if (isAspectWoven()) {
			WovenCalls.connect(interceptor);
		}
	}

	public static void disconnect(MethodInterceptor interceptor) {
		if (isAspectWoven()) {
			WovenCalls.disconnect(interceptor);
		}
	}

	/**
	 * Whether a field is the constant that AspectJ adds to a class for the given woven
	 * method.
	 */
	private static boolean isExecutionOf(Method method, Field field) {
		ReflectionUtils.makeAccessible(field);
		return ReflectionUtils.getField(field, null) instanceof JoinPoint.StaticPart part
				&& part.getKind().equals(JoinPoint.METHOD_EXECUTION)
				&& part.getSignature() instanceof MethodSignature signature && method.equals(signature.getMethod());
	}

}
