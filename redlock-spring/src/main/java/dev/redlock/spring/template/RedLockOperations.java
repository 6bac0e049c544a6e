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
 * Runs callbacks under locks. Inject {@code RedLockOperations} instead of the
 * implementation {@link RedLockTemplate}, so that tests can use another implementation.
 * <p>
 * All methods are thread-safe. If an outer call of the thread has locked the name, a
 * nested call re-enters the outer lock without releasing the lock. If the outer lock is
 * no longer valid, the nested call throws {@link dev.redlock.LockLostException} and its
 * callback does not run. Nested calls on one name inside of the same outer call run one
 * after the other, even if they are asynchronous. The lease of a nested call covers
 * exactly the names of its request, and {@link Lease#fence(String)} returns the fencing
 * token of each name.
 * <p>
 * Inside an open transaction, the lock is held until the transaction has completed. Other
 * processes get the lock only when they can see the data that the callback has written.
 * If the lock is lost before the commit, the transaction is rolled back with
 * {@link dev.redlock.LockLostException}, unless the request ignores losses. An
 * asynchronous call on a name fails with {@code IllegalStateException} if the caller's
 * transaction holds the lock on that name.
 */
public interface RedLockOperations {

	/**
	 * Runs a callback under a lock, with default settings except for the ttl.
	 * @param <T> the type of the result
	 * @param resource the name to lock
	 * @param ttl the time after which the Redis nodes forget the lock
	 * @param action the callback
	 * @return the result of the callback
	 */
	default <T extends @Nullable Object> T execute(String resource, Duration ttl, LockCallback<T> action) {
		return execute(LockRequest.of(resource).withTtl(ttl), action);
	}

	/**
	 * Runs a callback under a lock.
	 * <p>
	 * An exception of the callback reaches the caller unchanged, and even a checked
	 * exception is not wrapped. If the lock was lost too, the exception of the callback
	 * has the {@link dev.redlock.LockLostException} as a suppressed exception. A failure
	 * to release the lock is only logged, so the caller still gets the result or the
	 * exception of the callback.
	 * @param <T> the type of the result
	 * @param request the names to lock, and the settings of the lock
	 * @param action the callback
	 * @return the result of the callback
	 * @throws dev.redlock.LockNotAcquiredException if the lock was not acquired, so that
	 * the callback did not run
	 * @throws dev.redlock.LockLostException if the lock was lost while the callback ran,
	 * unless the request ignores losses
	 */
	<T extends @Nullable Object> T execute(LockRequest request, LockCallback<T> action);

	/**
	 * Acquires a lock that the caller must release, and waits for the lock as long as the
	 * request allows. The lease does not become the {@link dev.redlock.CurrentLease} of
	 * the thread. If a thread requests the same names again before it closes the lease,
	 * the second request fails at once with the reason
	 * {@link dev.redlock.LockNotAcquiredException.Reason#HELD}, except inside of an open
	 * transaction, where later calls re-enter the lock.
	 * @param request the names to lock, and the settings of the lock
	 * @return the lease; empty if the lock was not acquired. A lock that was acquired
	 * inside of a transaction is released when the lease is closed and the transaction
	 * has completed. The lease also covers requested names that an outer call has locked,
	 * until the outer call releases them. Closing the lease does not release names of an
	 * outer call
	 */
	Optional<Lease> tryAcquire(LockRequest request);

	/**
	 * Acquires a lock that the caller must release, like {@link #tryAcquire}, and throws
	 * an exception if the lock was not acquired.
	 * @param request the names to lock, and the settings of the lock
	 * @return the lease, as {@link #tryAcquire} returns it
	 * @throws dev.redlock.LockNotAcquiredException if the lock was not acquired
	 */
	Lease acquire(LockRequest request);

	/**
	 * Runs an asynchronous callback under a lock, without blocking the caller. The lock
	 * is held until the {@code CompletionStage} that the callback returns completes. The
	 * callback runs on a thread of the template's executor and must not block. The
	 * caller's transaction is missing on the executor's thread. The caller's MDC and
	 * security context are missing too, unless a {@code TaskDecorator} passes them on:
	 * Spring Boot uses the application's {@code TaskDecorator} beans.
	 * <p>
	 * Cancelling the returned future ends the wait for the lock, or cancels the
	 * callback's stage. Completing the returned future, as {@code orTimeout} does, ends
	 * the wait for the lock, but not a callback that has begun. The returned future fails
	 * with the exception of the callback, or with the exception that
	 * {@link #execute(LockRequest, LockCallback)} would throw. If the lock is lost before
	 * the callback is called, the future fails with {@code LockLostException}, even if
	 * the request ignores losses. If the caller has already locked a name of the request,
	 * the lock on that name is held until both the caller and the callback's stage have
	 * ended.
	 * @param <T> the type of the result
	 * @param request the names to lock, and the settings of the lock
	 * @param action the callback, which starts asynchronous work
	 * @return a stage that completes with the result of the callback's stage
	 */
	<T extends @Nullable Object> CompletableFuture<T> executeAsync(LockRequest request,
			Function<Lease, ? extends CompletionStage<T>> action);

	/**
	 * Waits for a lock, runs a callback on the caller's thread, and holds the lock until
	 * the callback's {@code CompletionStage} completes. Inside of a transaction, the lock
	 * is held until both the stage and the transaction have completed.
	 * <p>
	 * Cancelling the returned future cancels the callback's stage. If the caller
	 * completes the returned future without cancelling it, the stage runs on under the
	 * lock.
	 * @param <T> the type of the result
	 * @param request the names to lock, and the settings of the lock
	 * @param action the callback, which runs on the caller's thread
	 * @return a stage that completes with the result of the callback's stage; fails with
	 * the stage's exception, or with {@link LockLostException} if the lock was lost
	 * @throws dev.redlock.LockNotAcquiredException if the lock was not acquired, so that
	 * the callback did not run
	 */
	<T extends @Nullable Object> CompletableFuture<T> executeUntilComplete(LockRequest request,
			Function<Lease, ? extends CompletionStage<T>> action);

	/**
	 * Creates operations that run every callback at once and without a lock, for tests
	 * that are not about locks. Every callback, even an asynchronous one, runs on the
	 * thread of its caller, under a lease that is always valid.
	 */
	static RedLockOperations withoutLocks() {
		return RedLockTemplate.withoutLocksOn(Runnable::run);
	}

}
