package dev.redlock.spring.interceptor;

import java.util.Objects;

import dev.redlock.Lease;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import kotlin.Unit;
import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.ThreadContextElement;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.reactor.ReactorFlowKt;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.SignalType;

/**
 * Keeps the lock of a cancelled coroutine until the coroutine has ended. A cancelled
 * coroutine runs on until its next point of suspension and cleans up, and the publisher
 * does not report when the coroutine has ended. This context element finds the job of the
 * coroutine.
 */
final class CoroutineEnd extends AbstractCoroutineContextElement implements ThreadContextElement<Unit> {

	private static final CoroutineContext.Key<CoroutineEnd> KEY = new CoroutineContext.Key<>() {
	};

	private final Runnable release;

	/**
	 * The first coroutine that ran with this element. Coroutines that it starts inherit
	 * the element, and the first coroutine waits for them.
	 */
	private volatile @Nullable Job job;

	private CoroutineEnd(Lease lease) {
		super(KEY);
		this.release = ReactiveRedLockTemplate.keep(lease);
	}

	/**
	 * Calls a suspending function, or a function that returns a flow, under its lease.
	 */
	static Flux<Object> call(LockCall call, Lease lease) {
		CoroutineEnd end = new CoroutineEnd(lease);
		try {
			return end.call(call);
		}
		catch (Throwable ex) {
			end.release.run();
			throw ex;
		}
	}

	@Override
	public Unit updateThreadContext(CoroutineContext context) {
		if (this.job == null) {
			this.job = context.get(Job.Key);
		}
		return Unit.INSTANCE;
	}

	@Override
	public void restoreThreadContext(CoroutineContext context, Unit before) {
		// This context element changes no state of the thread, so nothing is restored.
	}

	private Flux<Object> call(LockCall call) {
		@Nullable Object[] arguments = call.arguments();
		int last = arguments.length - 1;
		if (last >= 0 && arguments[last] instanceof Continuation<?> caller) {
			arguments[last] = new Caller(caller.getContext().plus(this));
		}
		Object returned = Objects.requireNonNull(call.runLocked(),
				"A method with @RedLock returned null instead of a flow");
		Publisher<?> publisher = (returned instanceof Flow<?> flow) ? ReactorFlowKt.asFlux(flow, this)
				: (Publisher<?>) returned;
		return Flux.<Object>from(publisher).doOnTerminate(this.release).doFinally(this::ended);
	}

	private void ended(SignalType signal) {
		Job running = this.job;
		if (signal == SignalType.CANCEL && running != null) {
			running.invokeOnCompletion((cause) -> {
				this.release.run();
				return Unit.INSTANCE;
			});
		}
		else {
			this.release.run();
		}
	}

	/**
	 * A continuation that provides the caller's context only. The caller gets the result
	 * from the proxy.
	 */
	private record Caller(CoroutineContext context) implements Continuation<Object> {

		@Override
		public CoroutineContext getContext() {
			return this.context;
		}

		@Override
		public void resumeWith(Object result) {
			throw new UnsupportedOperationException();
		}

	}

}
