package dev.redlock.spring.interceptor;

import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.annotation.RedLock.OnFailure;
import dev.redlock.spring.template.ReactiveCurrentLease;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Single;
import org.reactivestreams.FlowAdapters;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A bean with methods that return publishers.
 */
class ReactiveStock {

	private final AtomicInteger calls = new AtomicInteger();

	public AtomicInteger calls() {
		return this.calls;
	}

	@RedLock(resource = "stock:#{#sku}", waitFor = "0")
	public Mono<String> sell(String sku) {
		this.calls.incrementAndGet();
		return ReactiveCurrentLease.require().map((lease) -> "sold " + lease.resources());
	}

	@RedLock(resource = "stock:1", waitFor = "0")
	public Flow.Publisher<String> flow() {
		return FlowAdapters.toFlowPublisher(Mono.just("flow"));
	}

	@RedLock(resource = "stock:1", waitFor = "0")
	public Single<String> single() {
		return Single.just("single");
	}

	@RedLock(resource = "stock:1", waitFor = "0", onFailure = OnFailure.SKIP)
	public Maybe<String> maybe() {
		return Maybe.just("maybe");
	}

	@RedLock(resource = "stock:1", waitFor = "0")
	public Completable completable() {
		return Completable.fromAction(this.calls::incrementAndGet);
	}

	@RedLock(resource = "stock:1", waitFor = "0", onFailure = OnFailure.SKIP)
	public Flowable<String> flowable() {
		return Flowable.just("flow", "able");
	}

	@RedLock(resource = "free", waitFor = "0", onFailure = OnFailure.SKIP)
	public Mono<String> skipOuter(Mono<String> inner) {
		return inner;
	}

	@RedLock(resource = "stock:1", waitFor = "0", fallback = "later")
	public Mono<String> fall(String sku) {
		return Mono.just(sku);
	}

	@RedLock(resource = "stock:1", waitFor = "0", fallback = "refuse")
	public Flux<String> fallAndFail(String sku) {
		return Flux.just(sku);
	}

	@RedLock(resource = "stock:1", waitFor = "0")
	public Mono<String> returnsNull() {
		return null;
	}

	private Mono<String> later(String sku, LockNotAcquiredException failure) {
		return Mono.just(sku + " is " + failure.reason());
	}

	private Flux<String> refuse(String sku) {
		throw Stock.OF_FALLBACK;
	}

}
