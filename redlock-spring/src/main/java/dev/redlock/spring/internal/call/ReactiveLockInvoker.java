package dev.redlock.spring.internal.call;

import java.util.function.Function;
import java.util.function.Supplier;

import dev.redlock.Lease;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import dev.redlock.spring.template.RedLockOperations;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.ReactiveAdapter;

/**
 * Runs locked methods that return a publisher: each subscription takes the lock and calls
 * the method.
 */
public final class ReactiveLockInvoker implements LockInvoker {

	private final Supplier<ReactiveRedLockTemplate> template;

	private final boolean many;

	private final @Nullable ReactiveAdapter adapter;

	/** Whether the method is a suspending function or returns a Kotlin {@code Flow}. */
	private final boolean coroutine;

	/**
	 * @param adapter converts between the return type and a publisher; null for a
	 * suspending function, for which Spring's proxy returns a publisher
	 */
	ReactiveLockInvoker(Supplier<ReactiveRedLockTemplate> template, boolean many, @Nullable ReactiveAdapter adapter) {
		this.template = template;
		this.many = many;
		this.adapter = adapter;
		this.coroutine = adapter == null || adapter.getReactiveType().getName().equals("kotlinx.coroutines.flow.Flow");
	}

	/**
	 * Evaluates the annotation's expressions inside of {@code handle}, where Reactor
	 * restores thread-locals, such as a tenant, from the Reactor context.
	 */
	@Override
	public Object invoke(RedLockOperations operations, LockCall call) {
		Flux<?> results = Mono.fromSupplier(call::copy)
			.<Flux<?>>handle((copy, sink) -> sink.next(results(copy)))
			// Without onErrorStop(), an onErrorContinue of the caller would swallow the
			// exception of a lock that was not acquired.
			.onErrorStop()
			.flatMapMany(Function.identity());
		Publisher<?> locked = this.many ? results : results.singleOrEmpty();
		return (this.adapter != null) ? this.adapter.fromPublisher(locked) : locked;
	}

	private Flux<?> results(LockCall call) {
		if (!call.meetsCondition()) {
			return Flux.from(publisher(call.proceed()));
		}
		return this.template.get()
			.executeMany(call.request(), (lease) -> work(call, lease))
			.onErrorResume(LockNotAcquiredException.class, (failure) -> Flux.from(answer(failure, call)));
	}

	private Flux<Object> work(LockCall call, Lease lease) {
		return this.coroutine ? CoroutineEnd.call(call, lease) : Flux.from(publisher(call.runLocked()));
	}

	private Publisher<?> publisher(@Nullable Object returned) {
		if (returned == null) {
			throw new IllegalStateException("A method with @RedLock returned null instead of a publisher");
		}
		return (this.adapter != null) ? this.adapter.toPublisher(returned) : (Publisher<?>) returned;
	}

	private Publisher<?> answer(LockNotAcquiredException failure, LockCall call) {
		try {
			Object answer = call.answer(failure);
			return (answer == null && this.adapter == null) ? Mono.empty() : publisher(answer);
		}
		catch (Throwable ex) {
			return Mono.error(ex);
		}
	}

}
