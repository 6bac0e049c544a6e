package dev.redlock.spring.internal.transaction;

import java.util.Map;
import java.util.stream.Stream;

import dev.redlock.spring.internal.lease.ContextLeases;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import org.springframework.transaction.reactive.TransactionContext;

/**
 * The Reactor context of locked work, which tells an open transaction about the leases
 * around it. A listener of a reactive transaction manager does not get the Reactor
 * context, but everything that begins or enters a transaction puts a
 * {@code TransactionContext} into it.
 */
public final class ObservedContext implements Context {

	private final Context context;

	private ObservedContext(Context context) {
		this.context = context;
	}

	public static Context of(Context context) {
		return (context instanceof ObservedContext) ? context : new ObservedContext(context);
	}

	private static Context observed(Context context) {
		context.<TransactionContext>getOrEmpty(TransactionContext.class)
			.ifPresent((transaction) -> ReactiveTransactionHold.observe(transaction, ContextLeases.all(context)));
		return of(context);
	}

	@Override
	public Context put(Object key, Object value) {
		Context changed = this.context.put(key, value);
		return (key == TransactionContext.class) ? observed(changed) : of(changed);
	}

	@Override
	public Context putAll(ContextView other) {
		Context changed = this.context.putAll(other);
		return other.hasKey(TransactionContext.class) ? observed(changed) : of(changed);
	}

	@Override
	public Context putAllMap(Map<?, ?> from) {
		return putAll(Context.of(from).readOnly());
	}

	@Override
	public Context delete(Object key) {
		return of(this.context.delete(key));
	}

	@Override
	public <T> T get(Object key) {
		return this.context.get(key);
	}

	@Override
	public <T> @Nullable T getOrDefault(Object key, @Nullable T defaultValue) {
		return this.context.getOrDefault(key, defaultValue);
	}

	@Override
	public boolean hasKey(Object key) {
		return this.context.hasKey(key);
	}

	@Override
	public int size() {
		return this.context.size();
	}

	@Override
	public Stream<Map.Entry<Object, Object>> stream() {
		return this.context.stream();
	}

	@Override
	public String toString() {
		return this.context.toString();
	}

}
