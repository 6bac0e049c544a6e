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
 * Holds the lock of a cancelled coroutine until the coroutine has ended. A cancelled
 * coroutine runs on until its next suspension point and then cleans up. The publisher
 * around a coroutine does not report the end of a cancelled coroutine, so this class
 * observes the coroutine's {@code Job}.
 */
final class CoroutineEnd extends AbstractCoroutineContextElement implements ThreadContextElement<Unit> {

	private static final CoroutineContext.Key<CoroutineEnd> KEY = new CoroutineContext.Key<>() {
	};

	private final Runnable release;

	/**
	 * The job of the first coroutine that runs with this context element, which is the
	 * locked coroutine.
	 */
	private volatile @Nullable Job job;

	private CoroutineEnd(Lease lease) {
		super(KEY);
		this.release = ReactiveRedLockTemplate.keep(lease);
	}

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
	 * Only passes the caller's context to the coroutine, because Spring's proxy returns
	 * the coroutine's result itself.
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
