package dev.redlock.spring.interceptor;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.template.LockHold;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Controller;
import org.springframework.util.ClassUtils;

/**
 * Chooses the invoker for the return type of a method. If the work of a type goes on
 * after the method has returned, and its end cannot be known, the type is refused: its
 * lock would be released too early.
 */
final class LockInvokers {

	private static final String ADD_REACTOR = "Add io.projectreactor:reactor-core to the application.";

	private static final String FINISHED = "Finish the work inside of the function and return its result, or return a Flow.";

	private static final boolean REACTOR = isPresent("reactor.core.publisher.Flux");

	private static final boolean COROUTINES = REACTOR && isPresent("kotlinx.coroutines.reactor.MonoKt");

	private final Supplier<ReactiveRedLockTemplate> reactive;

	private final AnnotatedMethod method;

	private final Class<?> type;

	/**
	 * @param templates run the method, null for those of the application
	 */
	LockInvokers(BeanFactory beanFactory, AnnotatedMethod method, LockedMethodExtension.@Nullable Templates templates) {
		this.reactive = (templates != null) ? templates::reactive
				: () -> beanFactory.getBean(ReactiveRedLockTemplate.class);
		this.method = method;
		this.type = method.returnType();
	}

	LockInvoker choose() {
		if (KotlinDetector.isSuspendingFunction(this.method.method())) {
			return suspending();
		}
		ResolvableType declared = this.method.declaredReturnType();
		if (DeferredWork.isStream(declared)) {
			return held(HeldResultInvoker::untilClosed);
		}
		if (DeferredWork.endsWithRequest(declared)
				&& AnnotatedElementUtils.hasAnnotation(this.method.targetClass(), Controller.class)) {
			return held(WebRequestHold::run);
		}
		refuse(declared, DeferredWork.in(declared));
		if (this.type == CompletionStage.class || this.type == CompletableFuture.class) {
			return new FutureLockInvoker(resultsOf(declared));
		}
		if (Future.class.isAssignableFrom(this.type) || CompletionStage.class.isAssignableFrom(this.type)) {
			throw refused(
					CompletionStage.class.isAssignableFrom(this.type)
							? "and while the call waits for the lock, it can only return a CompletableFuture"
							: "which reports its end only to a thread that blocks on it",
					"Return CompletableFuture or CompletionStage, or wait for the result inside the method.");
		}
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(this.type);
		if (adapter != null) {
			return reactive(adapter);
		}
		if (Flow.Publisher.class.isAssignableFrom(this.type)) {
			throw refused("which needs Reactor", ADD_REACTOR);
		}
		return new BlockingLockInvoker(resultsOf(declared));
	}

	private LockInvoker held(BiFunction<LockCall, LockHold, @Nullable Object> work) {
		this.method.refuseIf(
				this.method.annotation().getEnum("onLoss", RedLock.OnLoss.class) == RedLock.OnLoss.INTERRUPT, "onLoss",
				"it is INTERRUPT, and the work of a " + this.type.getName()
						+ " goes on after the method has returned, when it cannot be interrupted.",
				"Write THROW: LockLostException is thrown when the work ends.");
		return new HeldResultInvoker(work);
	}

	private LockInvoker suspending() {
		Method function = this.method.method();
		// The last parameter of the compiled function is a Continuation of the result.
		int last = function.getParameterCount() - 1;
		ResolvableType result = ResolvableType.forMethodParameter(function, last, this.method.targetClass())
			.getGeneric(0);
		// Spring's proxy knows a Flow only by the declared type.
		boolean flow = ResolvableType.forMethodParameter(function, last)
			.getGeneric(0)
			.resolve(Object.class)
			.getName()
			.equals("kotlinx.coroutines.flow.Flow");
		if (!flow) {
			refuse(result, DeferredWork.inWrapper(result).map((work) -> new DeferredWork(work.type(), FINISHED)));
		}
		this.method.refuseIf(!COROUTINES, "return type",
				"it is a suspending function, which needs the coroutines for Reactor.",
				"Add org.jetbrains.kotlinx:kotlinx-coroutines-reactor to the application.");
		return new ReactiveLockInvoker(this.reactive, flow, null, resultsOf(result));
	}

	private LockInvoker reactive(ReactiveAdapter adapter) {
		if (!REACTOR) {
			throw refused("which needs Reactor", ADD_REACTOR);
		}
		Class<?> known = adapter.getReactiveType();
		if (!this.type.isAssignableFrom(known)) {
			throw refused("and while the call waits for the lock, it can only return a " + known.getTypeName(),
					"Return " + known.getTypeName() + ".");
		}
		return new ReactiveLockInvoker(this.reactive, adapter.isMultiValue(), adapter,
				resultsOf(this.method.declaredReturnType()));
	}

	private ResultCheck resultsOf(ResolvableType declared) {
		return new ResultCheck(this.method.method(), declared);
	}

	private void refuse(ResolvableType declared, Optional<DeferredWork> deferred) {
		deferred.ifPresent((work) -> {
			String where = (declared.resolve() == work.type()) ? "" : ", which contains a " + work.type().getName();
			throw new InvalidRedLockException(this.method, "return type", "it returns " + declared + where + ". A "
					+ work.type().getName()
					+ " does its work after the method has returned, so it would run after the lock is released.",
					work.instead());
		});
	}

	private InvalidRedLockException refused(String why, String action) {
		return new InvalidRedLockException(this.method, "return type", "it returns " + this.type.getTypeName() + ", "
				+ why + ". The lock cannot be held until the work is done.", action);
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, LockInvokers.class.getClassLoader());
	}

}
