package dev.redlock.spring.template;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * Locks around pieces of code. The interface to inject, and to replace in tests;
 * {@link RedLockTemplate} is the implementation.
 * <p>
 * All methods may be called from any thread at the same time. A thread that works under a
 * lock ({@link dev.redlock.CurrentLease}) re-enters: what it holds is not acquired again,
 * only what is missing is, and the inner call leaves the outer lock alone. If the outer
 * lock is no longer valid by then, the inner call throws
 * {@link dev.redlock.LockLostException} and does nothing.
 * <p>
 * Work that runs inside of a transaction which was there before keeps its lock, after it
 * has returned, until that transaction has completed: nobody else may get the lock before
 * what was written under it can be seen. If the lock is lost in between, the transaction
 * is not committed but rolled back with {@link dev.redlock.LockLostException}, unless the
 * request says to ignore a loss. This goes for work that blocks; asynchronous work is on
 * threads of its own, and in no transaction of its caller's.
 */
public interface RedLockOperations {

	/**
	 * Runs work under a lock, with the defaults for everything but the ttl.
	 * @param <T> the type of the result
	 * @param resource the name of what is locked
	 * @param ttl the time after which the nodes forget the lock
	 * @param action the work
	 * @return what the work returns
	 * @throws dev.redlock.LockNotAcquiredException if the lock was not acquired; the work
	 * did not run
	 * @throws dev.redlock.LockLostException if the lock was lost while the work ran
	 */
	default <T extends @Nullable Object> T execute(String resource, Duration ttl, LockCallback<T> action) {
		return execute(LockRequest.of(resource).withTtl(ttl), action);
	}

	/**
	 * Runs work under a lock.
	 * <p>
	 * An exception of the work reaches the caller unchanged, also a checked one: it is
	 * neither wrapped nor declared. If the lock was lost as well, the exception carries
	 * the {@link dev.redlock.LockLostException} as suppressed. A failure to release the
	 * lock is logged and never hides what the work returned or threw.
	 * @param <T> the type of the result
	 * @param request what to lock, and how
	 * @param action the work
	 * @return what the work returns
	 * @throws dev.redlock.LockNotAcquiredException if the lock was not acquired; the work
	 * did not run
	 * @throws dev.redlock.LockLostException if the lock was lost while the work ran,
	 * unless the request says to ignore that
	 */
	<T extends @Nullable Object> T execute(LockRequest request, LockCallback<T> action);

	/**
	 * Acquires a lock that the caller releases, waiting for it as the request says. The
	 * lease is not bound to the thread. A thread that asks again for what such a lease of
	 * its own covers, before the lease is closed, is told at once that it is held: it
	 * would wait for itself.
	 * @param request what to lock, and how
	 * @return the lease, empty if the lock was not acquired; what the thread held already
	 * is not part of it, or not released by it
	 */
	Optional<Lease> tryAcquire(LockRequest request);

	/**
	 * Acquires a lock that the caller releases, waiting for it as the request says. The
	 * lease is not bound to the thread. A thread that asks again for what such a lease of
	 * its own covers, before the lease is closed, is told at once that it is held: it
	 * would wait for itself.
	 * @param request what to lock, and how
	 * @return the lease; what the thread held already is not part of it, or not released
	 * by it
	 * @throws dev.redlock.LockNotAcquiredException if the lock was not acquired
	 */
	Lease acquire(LockRequest request);

	/**
	 * Runs asynchronous work under a lock, without blocking the caller. The lock is held
	 * until the stage of the work completes.
	 * <p>
	 * Cancelling the future gives up waiting for the lock, or cancels the stage of the
	 * work. The future fails with what the work fails with, or as
	 * {@link #execute(LockRequest, LockCallback)} throws. When it is called under a lock
	 * that it needs, that lock is kept until both are done.
	 * @param <T> the type of the result
	 * @param request what to lock, and how
	 * @param action starts the work, on a thread of the template's executor
	 * @return completes with what the work completes with
	 */
	<T extends @Nullable Object> CompletableFuture<T> executeAsync(LockRequest request,
			Function<Lease, ? extends CompletionStage<T>> action);

	/**
	 * Operations that take every lock and keep nobody out, for tests of code that needs
	 * some operations and is not about them. They ask no node and need none. Work runs on
	 * the thread of its caller, also asynchronous work, under a lease that is always
	 * valid.
	 * @return the operations
	 */
	static RedLockOperations withoutLocks() {
		return new UnlockedOperations();
	}

}
