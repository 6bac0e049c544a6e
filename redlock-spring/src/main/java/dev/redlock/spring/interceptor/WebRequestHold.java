package dev.redlock.spring.interceptor;

import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.spring.template.LockHold;
import org.jspecify.annotations.Nullable;

import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.async.CallableProcessingInterceptor;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.DeferredResultProcessingInterceptor;
import org.springframework.web.context.request.async.WebAsyncManager;
import org.springframework.web.context.request.async.WebAsyncUtils;

/**
 * Ends a hold when Spring MVC has run the callable, or has the deferred result, that a
 * method of a controller returned. MVC treats a streaming body as a callable, and an
 * emitter as a deferred result. If the request ends earlier, the hold ends with it.
 */
final class WebRequestHold implements CallableProcessingInterceptor, DeferredResultProcessingInterceptor {

	private final LockHold hold;

	/** Set by what comes first: the callable starts, or the request ends. */
	private final AtomicBoolean decided = new AtomicBoolean();

	WebRequestHold(LockHold hold) {
		this.hold = hold;
	}

	/**
	 * Runs the method of a controller.
	 */
	static @Nullable Object run(LockCall call, LockHold hold) {
		RequestAttributes request = RequestContextHolder.getRequestAttributes();
		if (request == null || !(request.getAttribute(WebAsyncUtils.WEB_ASYNC_MANAGER_ATTRIBUTE,
				RequestAttributes.SCOPE_REQUEST) instanceof WebAsyncManager manager)) {
			throw new IllegalStateException("There is no request of Spring MVC, and the @RedLock method "
					+ call.method().getDeclaringClass().getName() + "." + call.method().getName()
					+ " holds its lock until its request ends. Let it return a CompletableFuture, or use"
					+ " RedLockTemplate.");
		}
		WebRequestHold ending = new WebRequestHold(hold);
		manager.registerCallableInterceptor(ending, ending);
		manager.registerDeferredResultInterceptor(ending, ending);
		request.registerDestructionCallback(WebRequestHold.class.getName() + "@" + System.identityHashCode(ending),
				() -> ending.dispatched(manager), RequestAttributes.SCOPE_REQUEST);
		return call.runLocked();
	}

	@Override
	public <T> void preProcess(NativeWebRequest request, Callable<T> task) {
		if (!this.decided.compareAndSet(false, true)) {
			throw new IllegalStateException("The request has ended, and its lock is released");
		}
	}

	@Override
	public <T> void postProcess(NativeWebRequest request, Callable<T> task, @Nullable Object result) {
		end(result);
	}

	/**
	 * A callable that runs on after a timeout of its request still needs the lock.
	 */
	@Override
	public <T> void afterCompletion(NativeWebRequest request, Callable<T> task) {
		if (this.decided.compareAndSet(false, true)) {
			this.hold.end();
		}
	}

	@Override
	public <T> void postProcess(NativeWebRequest request, DeferredResult<T> deferred, @Nullable Object result) {
		end(result);
	}

	@Override
	public <T> void afterCompletion(NativeWebRequest request, DeferredResult<T> deferred) {
		this.hold.end();
	}

	/**
	 * A loss that is thrown here becomes the result of the request. If the work itself
	 * failed, its exception stays the result, with the loss as suppressed.
	 */
	private void end(@Nullable Object result) {
		this.hold.end().ifPresent((loss) -> {
			if (!(result instanceof Throwable failure)) {
				throw loss;
			}
			failure.addSuppressed(loss);
		});
	}

	/**
	 * Ends the hold of a method whose result MVC never got, or did not work on.
	 */
	private void dispatched(WebAsyncManager manager) {
		if (!manager.isConcurrentHandlingStarted()) {
			this.hold.end();
		}
	}

}
