package dev.redlock.spring.template;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * Takes every lock, and keeps nobody out. Work runs on the thread of its caller, under a
 * lease that is always valid.
 */
final class UnlockedOperations implements RedLockOperations {

	@Override
	public <T extends @Nullable Object> T execute(LockRequest request, LockCallback<T> action) {
		Lease lease = acquire(request);
		CurrentLease.Scope scope = CurrentLease.open(lease);
		try {
			return action.doWithLease(lease);
		}
		catch (Throwable failure) {
			throw UnlockedOperations.<RuntimeException>unchanged(failure);
		}
		finally {
			scope.close();
		}
	}

	@Override
	public Optional<Lease> tryAcquire(LockRequest request) {
		return Optional.of(acquire(request));
	}

	@Override
	public Lease acquire(LockRequest request) {
		return PretendedLease.of(SafeNames.of(List.copyOf(request.resources())));
	}

	@Override
	public <T extends @Nullable Object> CompletableFuture<T> executeAsync(LockRequest request,
			Function<Lease, ? extends CompletionStage<T>> action) {
		Lease lease = acquire(request);
		CurrentLease.Scope scope = CurrentLease.open(lease);
		try {
			return Objects.requireNonNull(action.apply(lease), "The work under the lock returned null, no stage")
				.toCompletableFuture();
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		finally {
			scope.close();
		}
	}

	/**
	 * Lets a checked exception pass where none is declared, instead of wrapping it.
	 */
	@SuppressWarnings("unchecked")
	private static <E extends Throwable> E unchanged(Throwable failure) throws E {
		throw (E) failure;
	}

}
