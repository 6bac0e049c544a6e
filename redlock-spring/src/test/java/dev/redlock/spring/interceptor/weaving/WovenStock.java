package dev.redlock.spring.interceptor.weaving;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.interceptor.weaving.WovenApplication.Calls;

import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A bean that no proxy could lock entirely.
 */
class WovenStock {

	private final Calls calls;

	WovenStock(Calls calls) {
		this.calls = calls;
	}

	public String selfInvocation() {
		return sell("42");
	}

	public String privateMethod() {
		return hidden("42");
	}

	public static String staticMethod() {
		return everywhere("42");
	}

	@RedLock(resource = "stock:#{@calls.count(#sku)}", waitFor = "0")
	public String sell(String sku) {
		return locks();
	}

	@RedLock(resource = "once:#{@calls.count(#sku)}", waitFor = "0")
	@Transactional
	public String throughTheProxy(String sku) {
		return locks() + (TransactionSynchronizationManager.isActualTransactionActive() ? " in transaction" : "");
	}

	/**
	 * Calls itself for something else.
	 */
	@RedLock(resource = "level:#{@calls.count(#depth)}", waitFor = "0")
	public String recursive(int depth) {
		return locks() + ((depth > 0) ? recursive(depth - 1) : "");
	}

	@RedLock(resource = "final:#{#sku}", waitFor = "0")
	public final String finalMethod(String sku) {
		return locks();
	}

	@Night(resource = "meta")
	public String metaAnnotated() {
		return locks();
	}

	public String asynchronous(CompletableFuture<String> work) {
		CompletableFuture<String> sold = later("42", work);
		work.complete(this.calls.held("later:42") ? "held until " : "not held ");
		return sold.join() + this.calls.held("later:42");
	}

	@RedLock(resource = "later:#{#sku}", waitFor = "0")
	private CompletableFuture<String> later(String sku, CompletableFuture<String> work) {
		String locks = locks();
		return work.thenApply((result) -> locks + " " + result);
	}

	@RedLock(resource = "private:#{#sku}", waitFor = "0")
	private String hidden(String sku) {
		return locks();
	}

	@RedLock(resource = "static:#{#sku}", waitFor = "0")
	private static String everywhere(String sku) {
		return locks();
	}

	private static String locks() {
		return CurrentLease.get().map(Lease::resources).map(List::copyOf).map(Object::toString).orElse("no lock");
	}

	@RedLock(resource = "record", waitFor = "0")
	record Ticket(String sku) {

		public String locks() {
			return WovenStock.locks();
		}

	}

}
