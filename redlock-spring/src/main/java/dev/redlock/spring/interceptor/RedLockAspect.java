package dev.redlock.spring.interceptor;

import dev.redlock.spring.internal.weaving.JoinPointInvocation;
import dev.redlock.spring.internal.weaving.ProxiedCall;
import dev.redlock.spring.internal.weaving.WovenCalls;
import org.aopalliance.intercept.MethodInterceptor;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.DeclarePrecedence;
import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;

/**
 * Locks calls that no proxy can lock: calls within the same object, and calls of private,
 * static and final methods, except Kotlin's {@code suspend} functions. The aspect needs
 * load-time weaving by the Java agent of AspectJ. If the {@code META-INF/aop.xml} of the
 * application has include elements, one of them must include this class:
 * <pre class="code">
 * &lt;weaver&gt;
 *   &lt;include within="com.example..*"/&gt;
 *   &lt;include within="dev.redlock.spring.interceptor.RedLockAspect"/&gt;
 * &lt;/weaver&gt;</pre>
 * <p>
 * A method is woven if {@link dev.redlock.spring.annotation.RedLock @RedLock} is on the
 * method or on the class that declares it, even as a meta-annotation. If {@code @RedLock}
 * is inherited from an interface or a superclass, only a Spring proxy locks the method.
 * The aspect does not lock a call that a proxy has locked already.
 * <p>
 * A woven method throws {@link IllegalStateException} while no application context with
 * Redlock is running. If several contexts run in one Java process, the context that was
 * started last takes the locks.
 */
@Aspect
@DeclarePrecedence("org.springframework.scheduling.aspectj.*, dev.redlock.spring.interceptor.RedLockAspect, *")
public final class RedLockAspect {

	private static final String LOCK = "@dev.redlock.spring.annotation.RedLock";

	private static final String META = "@(" + LOCK + " *)";

	private static final String META_OF_META = "@(" + META + " *)";

	private static final String METHOD = "execution(" + LOCK + " * *(..)) || execution(" + META
			+ " * *(..)) || execution(" + META_OF_META + " * *(..))";

	private static final String TYPE = "execution(public !static * (" + LOCK
			+ " *).*(..)) || execution(public !static * (" + META + " *).*(..)) || execution(public !static * ("
			+ META_OF_META + " *).*(..))";

	/**
	 * Matches the JDK's proxy classes for annotations, which the aspect must skip even if
	 * an annotation carries {@code @RedLock}.
	 */
	private static final String ANNOTATIONS = "within(java.lang.annotation.Annotation+)";

	/**
	 * Creates the aspect. Only the weaver of AspectJ calls this constructor.
	 */
	public RedLockAspect() {
	}

	/**
	 * Runs a woven method under the lock that its annotation describes.
	 */
	@Around("(" + METHOD + " || " + TYPE + ") && !" + ANNOTATIONS)
	public @Nullable Object lock(ProceedingJoinPoint joinPoint) throws Throwable {
		JoinPointInvocation invocation = new JoinPointInvocation(joinPoint);
		if (KotlinDetector.isSuspendingFunction(invocation.getMethod())
				|| ProxiedCall.isAlreadyLocked(invocation.getMethod(), invocation.getThis())) {
			return joinPoint.proceed();
		}
		MethodInterceptor latest = WovenCalls.latest();
		if (latest != null) {
			return latest.invoke(invocation);
		}
		if (AnnotatedMethod.find(invocation.getMethod(), invocation.targetClass()).isEmpty()) {
			return joinPoint.proceed();
		}
		throw new IllegalStateException("The method " + invocation.getMethod().getName() + " of "
				+ invocation.targetClass().getName()
				+ " has @RedLock, and there is no lock: no application context with Redlock is running. Call the "
				+ "method while the context runs, or do not weave RedLockAspect.");
	}

}
