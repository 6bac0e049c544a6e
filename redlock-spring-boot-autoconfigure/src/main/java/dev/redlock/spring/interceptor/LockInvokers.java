package dev.redlock.spring.interceptor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;

import dev.redlock.spring.annotation.RedLock;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Controller;
import org.springframework.util.ClassUtils;

/**
 * Chooses the invoker for a return type. If the work of a type goes on after the method
 * has returned, and its end cannot be known, the type is refused: its lock would be
 * released too early.
 */
final class LockInvokers {

	private static final String ADD_REACTOR = "Add io.projectreactor:reactor-core to the application.";

	private static final String ADD_COROUTINES = "Add org.jetbrains.kotlinx:kotlinx-coroutines-reactor to the"
			+ " application.";

	private static final String RETURN_A_FUTURE = "Return CompletableFuture or CompletionStage, or wait for the result"
			+ " inside the method.";

	private static final String KOTLIN_FLOW = "kotlinx.coroutines.flow.Flow";

	private static final boolean REACTOR = isPresent("reactor.core.publisher.Flux");

	private static final boolean COROUTINES = REACTOR && isPresent("kotlinx.coroutines.reactor.MonoKt");

	private final LockInvoker future = new FutureLockInvoker();

	private final BeanFactory beanFactory;

	LockInvokers(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	LockInvoker forMethod(AnnotatedMethod method) {
		ResolvableType declared = declared(method);
		HeldResultInvoker.Work work = work(method, declared);
		if (work != null) {
			refuseInterrupt(method, declared);
			return new HeldResultInvoker(work);
		}
		refuseDeferredWork(method, declared);
		Class<?> type = method.method().getReturnType();
		if (type == CompletionStage.class || type == CompletableFuture.class) {
			return this.future;
		}
		if (KotlinDetector.isSuspendingFunction(method.method())) {
			return suspending(method);
		}
		if (Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type)) {
			throw refused(method, future(type), RETURN_A_FUTURE);
		}
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
		if (adapter != null) {
			return reactive(method, type, adapter);
		}
		if (Flow.Publisher.class.isAssignableFrom(type)) {
			throw refused(method, "it returns " + type.getTypeName() + ", which needs Reactor", ADD_REACTOR);
		}
		return new BlockingLockInvoker(DeferredWork.behind(declared));
	}

	/**
	 * The return type with the type arguments of the bean's class, and for a suspending
	 * function the one that it is written with.
	 */
	private static ResolvableType declared(AnnotatedMethod method) {
		return KotlinDetector.isSuspendingFunction(method.method())
				? ResolvableType.forClass(new MethodParameter(method.method(), -1).getParameterType())
				: ResolvableType.forMethodReturnType(method.method(), method.targetClass());
	}

	/**
	 * Returns how to run a method whose work goes on after it has returned, if the end of
	 * that work can be known.
	 */
	private static HeldResultInvoker.@Nullable Work work(AnnotatedMethod method, ResolvableType declared) {
		if (KotlinDetector.isSuspendingFunction(method.method())) {
			return null;
		}
		if (DeferredWork.isStream(declared)) {
			return HeldResultInvoker::untilClosed;
		}
		boolean held = DeferredWork.endsWithRequest(declared)
				&& AnnotatedElementUtils.hasAnnotation(method.targetClass(), Controller.class);
		return held ? WebRequestHold::run : null;
	}

	private static void refuseInterrupt(AnnotatedMethod method, ResolvableType declared) {
		if (method.annotation().getEnum("onLoss", RedLock.OnLoss.class) == RedLock.OnLoss.INTERRUPT) {
			throw new InvalidRedLockException(method, "onLoss",
					"it is INTERRUPT, and the work of a " + declared
							+ " goes on after the method has returned, when it cannot be interrupted.",
					"Write THROW: LockLostException is thrown when the work ends.");
		}
	}

	private static void refuseDeferredWork(AnnotatedMethod method, ResolvableType declared) {
		DeferredWork.in(declared).ifPresent((work) -> {
			String where = (declared.resolve() == work.type()) ? "" : ", and there is work in it";
			throw new InvalidRedLockException(method, "return type", "it returns " + declared + where + ". A "
					+ work.type().getName()
					+ " does its work after the method has returned, so it would run after the lock is released.",
					work.instead());
		});
	}

	private LockInvoker suspending(AnnotatedMethod method) {
		if (!COROUTINES) {
			throw refused(method, "it is a suspending function, which needs the coroutines for Reactor",
					ADD_COROUTINES);
		}
		String type = new MethodParameter(method.method(), -1).getParameterType().getName();
		return ReactiveLockInvoker.suspending(this.beanFactory, type.equals(KOTLIN_FLOW));
	}

	private LockInvoker reactive(AnnotatedMethod method, Class<?> type, ReactiveAdapter adapter) {
		if (!REACTOR) {
			throw refused(method, "it returns " + type.getTypeName() + ", which needs Reactor", ADD_REACTOR);
		}
		Class<?> known = adapter.getReactiveType();
		if (!type.isAssignableFrom(known)) {
			throw refused(method, "it returns " + type.getTypeName() + ", and what waits for the lock is only a "
					+ known.getTypeName(), "Return " + known.getTypeName() + ".");
		}
		return ReactiveLockInvoker.of(this.beanFactory, adapter);
	}

	private static String future(Class<?> type) {
		return "it returns " + type.getTypeName()
				+ (CompletionStage.class.isAssignableFrom(type)
						? ", and what waits for the lock is only a CompletableFuture"
						: ", which does not tell when it is done without a thread that waits for it");
	}

	private static InvalidRedLockException refused(AnnotatedMethod method, String why, String action) {
		return new InvalidRedLockException(method, "return type",
				why + ". The lock cannot be held until the work is done.", action);
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, LockInvokers.class.getClassLoader());
	}

}
