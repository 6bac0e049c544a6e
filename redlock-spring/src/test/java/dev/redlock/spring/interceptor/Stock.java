package dev.redlock.spring.interceptor;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

import dev.redlock.CurrentLease;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.annotation.RedLock.OnFailure;

/**
 * A bean with methods that are locked in every way.
 */
class Stock {

	static final Runnable MUST_NOT_RUN = () -> {
		throw new AssertionError("The method ran without its lock");
	};

	static final IllegalStateException OF_FALLBACK = new IllegalStateException("of the fallback");

	private final AtomicInteger calls = new AtomicInteger();

	public AtomicInteger calls() {
		return this.calls;
	}

	@RedLock(resource = "bulk", waitFor = "0", condition = "#quantity > 10")
	public Optional<String> bulk(int quantity) {
		return CurrentLease.get().map(Object::toString);
	}

	@RedLock(resource = "skip", waitFor = "0", onFailure = OnFailure.SKIP)
	public String skipText() {
		return "call " + this.calls.incrementAndGet();
	}

	@RedLock(resource = "skip", waitFor = "0", onFailure = OnFailure.SKIP)
	public void skipVoid() {
		this.calls.incrementAndGet();
	}

	@RedLock(resource = "free", waitFor = "0", onFailure = OnFailure.SKIP)
	public void skipOuter(Runnable inner) {
		inner.run();
	}

	@RedLock(resource = "inner", waitFor = "0")
	public void inner() {
	}

	@RedLock(resource = "fall", waitFor = "0", fallback = "later")
	public String fall(String sku) {
		return "now " + sku;
	}

	@RedLock(resource = "fall", waitFor = "0", fallback = "explain")
	public String fallWithReason(String sku) {
		return "now " + sku;
	}

	@RedLock(resource = "fall", waitFor = "0", fallback = "laterAsync")
	public CompletionStage<String> fallAsync(String sku) {
		return CompletableFuture.completedFuture("now " + sku);
	}

	@RedLock(resource = "fall", waitFor = "0", fallback = "failToo")
	public void fallAndFail() {
	}

	private String later(String sku) {
		return "later " + sku;
	}

	private String explain(String sku) {
		throw new AssertionError("The one that takes the reason is preferred");
	}

	private String explain(String sku, LockNotAcquiredException failure) {
		return sku + " is " + failure.reason();
	}

	private CompletionStage<String> laterAsync(String sku) {
		return CompletableFuture.completedFuture("later " + sku);
	}

	private void failToo() {
		throw OF_FALLBACK;
	}

	@RedLock(resource = "till", waitFor = "0")
	static class Till {

		public String resources() {
			return CurrentLease.require().resources().toString();
		}

	}

	interface Desk {

		@RedLock(resource = "desk:#{#sku}", waitFor = "0")
		String sell(String sku);

	}

	static class TicketDesk implements Desk {

		@Override
		public String sell(String id) {
			return CurrentLease.require().resources().toString();
		}

	}

	static class Office {

	}

}
