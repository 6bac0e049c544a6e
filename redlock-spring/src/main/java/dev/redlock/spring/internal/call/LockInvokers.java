package dev.redlock.spring.internal.call;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Supplier;

import dev.redlock.spring.interceptor.AnnotatedMethod;
import dev.redlock.spring.interceptor.InvalidRedLockException;
import dev.redlock.spring.internal.method.DeferredWork;
import dev.redlock.spring.template.ReactiveRedLockTemplate;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.stereotype.Controller;
import org.springframework.util.ClassUtils;

/**
 * Chooses the {@link LockInvoker} for the return type of a locked method. Startup fails
 * for return types whose work goes on after the method has returned, because the lock
 * would be released too early.
 */
public final class LockInvokers {

	private static final String ADD_REACTOR = "Add io.projectreactor:reactor-core to the application.";

	private static final String INSTEAD = "Call the locked method inside of the deferred work, or use RedLockTemplate.";

	private static final String FINISHED = "Finish the work inside of the suspending function and return its result, or return a Flow.";

	private static final String GRAPHQL = "org.springframework.graphql.data.method.annotation.SchemaMapping";

	/** The name of a bean that every WebFlux application has. */
	private static final String WEB_FLUX = "webHandler";

	private static final boolean REACTOR = isPresent("reactor.core.publisher.Flux");

	private static final boolean COROUTINES = REACTOR && isPresent("kotlinx.coroutines.reactor.MonoKt");

	private final BeanFactory beanFactory;

	private final Supplier<ReactiveRedLockTemplate> reactive;

	private final AnnotatedMethod method;

	private final Class<?> type;

	public LockInvokers(BeanFactory beanFactory, AnnotatedMethod method, Supplier<ReactiveRedLockTemplate> reactive) {
		this.beanFactory = beanFactory;
		this.reactive = reactive;
		this.method = method;
		this.type = method.returnType();
	}

	public LockInvoker choose() {
		if (KotlinDetector.isSuspendingFunction(this.method.method())) {
			return suspending();
		}
		ResolvableType declared = this.method.declaredReturnType();
		refuse(DeferredWork.in(declared, false), declared, INSTEAD);
		if (this.type == CompletionStage.class || this.type == CompletableFuture.class) {
			this.method.refuseIf(isHandlerOnLoop(), "return type",
					"the method returns " + declared
							+ ", so it waits for its lock on the thread of its caller. That thread must not block.",
					"Return a Mono.");
			return new FutureLockInvoker();
		}
		if (Future.class.isAssignableFrom(this.type) || CompletionStage.class.isAssignableFrom(this.type)) {
			throw refused(
					CompletionStage.class.isAssignableFrom(this.type)
							? "and a call that waits for its lock can only return a CompletableFuture"
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
		return new BlockingLockInvoker(this.method);
	}

	/**
	 * Whether the method handles WebFlux or GraphQL requests, which may arrive on threads
	 * that must not block.
	 */
	private boolean isHandlerOnLoop() {
		return MergedAnnotations.from(this.method.method(), SearchStrategy.TYPE_HIERARCHY).isPresent(GRAPHQL)
				|| (this.beanFactory.containsBean(WEB_FLUX)
						&& AnnotatedElementUtils.hasAnnotation(this.method.targetClass(), Controller.class));
	}

	private LockInvoker suspending() {
		Method function = this.method.method();
		// The last parameter of a compiled suspending function is a Continuation, whose
		// type argument is the type of the result.
		int last = function.getParameterCount() - 1;
		ResolvableType result = ResolvableType.forMethodParameter(function, last, this.method.targetClass())
			.getGeneric(0);
		// Spring's proxy treats a result as a Kotlin Flow only if the declared type is
		// exactly Flow.
		boolean flow = ResolvableType.forMethodParameter(function, last)
			.getGeneric(0)
			.resolve(Object.class)
			.getName()
			.equals("kotlinx.coroutines.flow.Flow");
		if (!flow) {
			refuse(DeferredWork.in(result, true), result, FINISHED);
		}
		this.method.refuseIf(!COROUTINES, "return type",
				"the method is a suspending function, which needs the library kotlinx-coroutines-reactor.",
				"Add org.jetbrains.kotlinx:kotlinx-coroutines-reactor to the application.");
		return new ReactiveLockInvoker(this.reactive, flow, null);
	}

	private LockInvoker reactive(ReactiveAdapter adapter) {
		if (!REACTOR) {
			throw refused("which needs Reactor", ADD_REACTOR);
		}
		Class<?> known = adapter.getReactiveType();
		if (!this.type.isAssignableFrom(known)) {
			throw refused("and a call that waits for its lock can only return a " + known.getTypeName(),
					"Return " + known.getTypeName() + ".");
		}
		return new ReactiveLockInvoker(this.reactive, adapter.isMultiValue(), adapter);
	}

	private void refuse(Optional<Class<?>> deferred, ResolvableType declared, String instead) {
		deferred.ifPresent((part) -> {
			String where = (declared.resolve() == part) ? "" : ", which contains a " + part.getName();
			throw new InvalidRedLockException(this.method, "return type",
					"the method returns " + declared + where + ". A " + part.getName()
							+ " does its work after the method has returned, when the lock is already released.",
					instead);
		});
	}

	private InvalidRedLockException refused(String why, String action) {
		return new InvalidRedLockException(this.method, "return type", "the method returns " + this.type.getTypeName()
				+ ", " + why + ". The lock cannot be held until the work is done.", action);
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, LockInvokers.class.getClassLoader());
	}

}
