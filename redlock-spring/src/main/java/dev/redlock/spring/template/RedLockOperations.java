package dev.redlock.spring.template;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * Runs pieces of code under locks. Inject this interface, and replace it in tests;
 * {@link RedLockTemplate} is the implementation.
 * <p>
 * All methods may be called from any thread at the same time. A thread that works under a
 * lock ({@link dev.redlock.CurrentLease}) re-enters: it acquires only names that it does
 * not hold already, and the inner call does not release the outer lock. If the outer lock
 * is no longer valid, the inner call throws {@link dev.redlock.LockLostException} and
 * does nothing. Pieces of asynchronous work on one name inside of the same outer work run
 * one after the other, and blocking work on the name takes part in this order. Each piece
 * waits for the other pieces as long as its request allows. The lease of the inner call
 * covers exactly the names of its request, even if the outer call holds them;
 * {@link Lease#fence(String)} returns the fence of each name.
 * <p>
 * Work inside an open transaction keeps its lock after it has returned, until that
 * transaction has completed. Other processes therefore get the lock only when they can
 * see the data that was written under it. If the lock is lost before the commit, the
 * transaction is rolled back with {@link dev.redlock.LockLostException}, unless the
 * request ignores losses. Work of {@link #executeAsync} runs on other threads, outside of
 * the transaction of its caller. Asynchronous work on a name that the transaction keeps
 * is refused.
 */
public interface RedLockOperations {

	/**
	 * Runs work under a lock, with the defaults for everything except the ttl.
	 * @param <T> the type of the result
	 * @param resource the name to lock
	 * @param ttl the time after which the nodes forget the lock
	 * @param action the work
	 * @return the result of the work
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
	 * An exception of the work reaches the caller unchanged. Even a checked exception is
	 * neither wrapped nor declared. If the lock was lost as well, the exception carries
	 * the {@link dev.redlock.LockLostException} as suppressed. A failure to release the
	 * lock is logged and never hides the result or the exception of the work.
	 * @param <T> the type of the result
	 * @param request what to lock, and how
	 * @param action the work
	 * @return the result of the work
	 * @throws dev.redlock.LockNotAcquiredException if the lock was not acquired; the work
	 * did not run
	 * @throws dev.redlock.LockLostException if the lock was lost while the work ran,
	 * unless the request ignores losses
	 */
	<T extends @Nullable Object> T execute(LockRequest request, LockCallback<T> action);

	/**
	 * Acquires a lock that the caller releases, and waits for it as long as the request
	 * allows. The lease is not bound to the thread. A thread that requests the same names
	 * again before it has closed the lease would wait for itself, so the second request
	 * ends as {@link dev.redlock.LockNotAcquiredException.Reason#HELD} at once.
	 * @param request what to lock, and how
	 * @return the lease, empty if the lock was not acquired. The lease also covers
	 * requested names that the thread held already. Closing the lease does not release
	 * these names, and the lease is valid only until they are released. The lease does
	 * not exclude other work inside of the same lock, which may run meanwhile
	 */
	Optional<Lease> tryAcquire(LockRequest request);

	/**
	 * Acquires a lock that the caller releases, and waits for it as long as the request
	 * allows. The lease is not bound to the thread. A thread that requests the same names
	 * again before it has closed the lease would wait for itself, so the second request
	 * ends as {@link dev.redlock.LockNotAcquiredException.Reason#HELD} at once.
	 * @param request what to lock, and how
	 * @return the lease. The lease also covers requested names that the thread held
	 * already. Closing the lease does not release these names, and the lease is valid
	 * only until they are released. The lease does not exclude other work inside of the
	 * same lock, which may run meanwhile
	 * @throws dev.redlock.LockNotAcquiredException if the lock was not acquired
	 */
	Lease acquire(LockRequest request);

	/**
	 * Runs asynchronous work under a lock, without blocking the caller. The lock is held
	 * until the stage of the work completes. The action runs on a thread of the
	 * template's executor, and only starts the work, because it must not block. The
	 * caller's MDC, security context and transaction are missing on that thread, unless
	 * the executor passes them on.
	 * <p>
	 * Cancelling the future gives up waiting for the lock, or cancels the stage of the
	 * work. Completing the future, as {@code orTimeout} does, also gives up waiting for
	 * the lock, but work that has begun goes on under the lock. Work that still waits for
	 * a thread does not begin, and its lock is released. The future fails with the
	 * exception of the work, or with the exception that
	 * {@link #execute(LockRequest, LockCallback)} would throw. If the lock ends before
	 * the work has begun, the work does not run, and the future fails with
	 * {@code LockLostException}, even if the request ignores losses. If the caller
	 * already holds a lock that the work needs, that lock is kept until both the caller
	 * and the work are done.
	 * @param <T> the type of the result
	 * @param request what to lock, and how
	 * @param action starts the work, on a thread of the template's executor
	 * @return completes with the result of the work
	 */
	<T extends @Nullable Object> CompletableFuture<T> executeAsync(LockRequest request,
			Function<Lease, ? extends CompletionStage<T>> action);

	/**
	 * Waits for a lock and runs work on this thread, like
	 * {@link #execute(LockRequest, LockCallback)}, and holds the lock until the stage of
	 * the work completes. Inside of a transaction, the lock is held until both the stage
	 * and the transaction have completed.
	 * <p>
	 * Cancelling the future cancels the stage of the work. If the caller completes the
	 * future in another way, the work goes on under the lock.
	 * @param <T> the type of the result
	 * @param request what to lock, and how
	 * @param action starts the work, on this thread
	 * @return completes with the result of the work, or fails with its exception or with
	 * {@link LockLostException}
	 * @throws dev.redlock.LockNotAcquiredException if the lock was not acquired; the work
	 * did not run
	 */
	<T extends @Nullable Object> CompletableFuture<T> executeUntilComplete(LockRequest request,
			Function<Lease, ? extends CompletionStage<T>> action);

	/**
	 * Creates operations that grant every lock at once and exclude no other work, for
	 * tests that are not about locks. These operations need no Redis. All work, even
	 * asynchronous work, runs on the thread of its caller, under a lease that is always
	 * valid.
	 * @return the operations
	 */
	static RedLockOperations withoutLocks() {
		return RedLockTemplate.withoutLocks();
	}

}
