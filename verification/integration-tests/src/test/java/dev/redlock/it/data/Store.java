package dev.redlock.it.data;

import java.util.function.Consumer;

import dev.redlock.Lease;
import dev.redlock.Redlock;
import org.jspecify.annotations.Nullable;

/**
 * Spring Data over one database, blocking for tests: each method is one transaction under
 * a lease, or under none.
 */
public interface Store extends AutoCloseable {

	<T> T load(@Nullable Lease lease, Class<T> type, Object id);

	<T> T save(@Nullable Lease lease, T aggregate);

	<T> void change(@Nullable Lease lease, Class<T> type, Object id, Consumer<T> change);

	<T> T saveOutsideOfTransactions(@Nullable Lease lease, T aggregate);

	/**
	 * Saves in a transaction that keeps the lock of a call that has returned.
	 */
	<T> T saveUnderAKeptLock(Redlock redlock, String resource, T aggregate);

	@Override
	void close();

}
