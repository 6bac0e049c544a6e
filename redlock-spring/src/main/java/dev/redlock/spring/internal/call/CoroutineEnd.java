package dev.redlock.spring.internal.call;

import java.util.List;
import java.util.Objects;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.spring.template.ReactiveCurrentLease;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import kotlin.Unit;
import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.ThreadContextElement;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.reactor.ReactorContext;
import kotlinx.coroutines.reactor.ReactorFlowKt;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.SignalType;
import reactor.util.context.Context;

/**
 * Makes the leases of a locked coroutine the current leases of each thread on which the
 * coroutine runs, and holds the lock of a cancelled coroutine until the coroutine has
 * ended. A cancelled coroutine runs on until its next suspension point and then cleans
 * up. The publisher around a coroutine does not report the end of a cancelled coroutine,
 * so this class observes the coroutine's {@code Job}.
 */
final class CoroutineEnd extends AbstractCoroutineContextElement implements ThreadContextElement<CurrentLease> {

	private static final CoroutineContext.Key<CoroutineEnd> KEY = new CoroutineContext.Key<>() {
	};

	private final Runnable release;

	private final List<Lease> leases = CurrentLease.all();

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
	public CurrentLease updateThreadContext(CoroutineContext context) {
		if (this.job == null) {
			this.job = context.get(Job.Key);
		}
		return CurrentLease.replaceBy(this.leases);
	}

	@Override
	public void restoreThreadContext(CoroutineContext context, CurrentLease current) {
		current.close();
	}

	private Flux<Object> call(LockCall call) {
		@Nullable Object[] arguments = call.arguments();
		int last = arguments.length - 1;
		if (last >= 0 && arguments[last] instanceof Continuation<?> caller) {
			ReactorContext reactor = caller.getContext().get(ReactorContext.Key);
			Context observed = ReactiveCurrentLease
				.observeTransactions((reactor != null) ? reactor.getContext() : Context.empty());
			arguments[last] = new Caller(caller.getContext().plus(this).plus(new ReactorContext(observed)));
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
