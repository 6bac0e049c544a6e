package dev.redlock.spring.internal.call;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.spring.interceptor.AnnotatedMethod;
import dev.redlock.spring.internal.method.DeferredWork;
import dev.redlock.spring.template.RedLockOperations;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.ResolvableType;
import org.springframework.http.HttpEntity;

/**
 * Runs locked methods that end their work before they return. Logs a warning if a method
 * with the return type {@code Object} or {@code ResponseEntity<?>} returns unfinished
 * work, such as a {@code Future}.
 */
public final class BlockingLockInvoker implements LockInvoker {

	private static final Logger logger = LoggerFactory.getLogger(BlockingLockInvoker.class);

	private static final Class<?> ENTITY = DeferredWork.type("org.springframework.http.HttpEntity");

	private final AnnotatedMethod method;

	private final boolean declaresAnyObject;

	private volatile boolean warned;

	BlockingLockInvoker(AnnotatedMethod method) {
		this.method = method;
		ResolvableType declared = method.declaredReturnType();
		ResolvableType content = ENTITY.isAssignableFrom(method.returnType()) ? declared.as(ENTITY).getGeneric(0)
				: declared;
		this.declaresAnyObject = content.resolve(Object.class) == Object.class;
	}

	@Override
	@SuppressWarnings("NullAway") // The type parameter of LockCallback allows null.
	public @Nullable Object invoke(RedLockOperations operations, LockCall call) throws Throwable {
		if (!call.meetsCondition()) {
			return call.proceed();
		}
		try {
			Object result = operations.<@Nullable Object>execute(call.request(), (lease) -> call.runLocked());
			check(result);
			return result;
		}
		catch (LockNotAcquiredException ex) {
			return call.answer(ex);
		}
	}

	private void check(@Nullable Object result) {
		if (!this.declaresAnyObject || this.warned) {
			return;
		}
		Object content = ENTITY.isInstance(result) ? Entity.body(result) : result;
		if (content != null && DeferredWork.isUnfinished(content)) {
			this.warned = true;
			logger.warn(
					"{} on {} returned a {}, whose work goes on after the lock is released. Declare this class or "
							+ "its interface as the return type of the method, or return a finished value.",
					this.method.annotationName(), this.method, content.getClass().getName());
		}
	}

	/**
	 * Keeps the types of Spring Web out of {@code BlockingLockInvoker}, which must load
	 * without Spring Web.
	 */
	private static final class Entity {

		static @Nullable Object body(@Nullable Object entity) {
			return (entity instanceof HttpEntity<?> response) ? response.getBody() : null;
		}

	}

}
