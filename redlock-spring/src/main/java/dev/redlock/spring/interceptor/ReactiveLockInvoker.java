package dev.redlock.spring.interceptor;

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
 * Runs methods that return a publisher: each subscription takes the lock and calls the
 * method. No other class of this package uses Reactor, which is optional.
 */
final class ReactiveLockInvoker implements LockInvoker {

	private final Supplier<ReactiveRedLockTemplate> template;

	private final boolean many;

	private final @Nullable ReactiveAdapter adapter;

	/** Whether the method is a suspending function or returns a flow of Kotlin. */
	private final boolean coroutine;

	/**
	 * @param template returns the template that takes the lock
	 * @param many whether the publisher may emit several values
	 * @param adapter knows the return type; null for a suspending function. A suspending
	 * function returns a publisher to this invoker, and the proxy turns the publisher
	 * into a coroutine for the caller.
	 */
	ReactiveLockInvoker(Supplier<ReactiveRedLockTemplate> template, boolean many, @Nullable ReactiveAdapter adapter) {
		this.template = template;
		this.many = many;
		this.adapter = adapter;
		this.coroutine = adapter == null || adapter.getReactiveType().getName().equals("kotlinx.coroutines.flow.Flow");
	}

	/**
	 * The names and the condition are evaluated at subscription. Expressions that run in
	 * {@code handle} see thread-locals that are restored from the Reactor context, such
	 * as a tenant.
	 */
	@Override
	public Object invoke(RedLockOperations operations, LockCall call) {
		Flux<?> results = Mono.fromSupplier(call::copy)
			.<Flux<?>>handle((copy, sink) -> sink.next(results(copy)))
			// Without this operator, onErrorContinue of the caller would swallow a
			// failure of the lock.
			.onErrorStop()
			.flatMapMany(Function.identity());
		Publisher<?> locked = this.many ? results : results.singleOrEmpty();
		return (this.adapter != null) ? this.adapter.fromPublisher(locked) : locked;
	}

	private Flux<?> results(LockCall call) {
		if (!call.applies()) {
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
