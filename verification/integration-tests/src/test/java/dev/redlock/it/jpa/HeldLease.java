package dev.redlock.it.jpa;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LossReason;
import dev.redlock.ReleaseResult;
import org.jspecify.annotations.Nullable;

/**
 * A lease with a given fence, as if the lock had granted it.
 */
public record HeldLease(long fence, Set<String> resources) implements Lease {

	/**
	 * Works under a lease, or under none.
	 */
	public static <T extends @Nullable Object> T under(@Nullable Lease lease, Supplier<T> work) {
		if (lease == null) {
			return work.get();
		}
		CurrentLease scope = CurrentLease.open(lease);
		try {
			return work.get();
		}
		finally {
			scope.close();
		}
	}

	@Override
	public Duration remaining() {
		return Duration.ofSeconds(10);
	}

	@Override
	public boolean isValid() {
		return true;
	}

	@Override
	public boolean extend(Duration ttl) {
		return true;
	}

	@Override
	public CompletionStage<Boolean> extendAsync(Duration ttl) {
		return CompletableFuture.completedStage(true);
	}

	@Override
	public CompletionStage<LossReason> lost() {
		return new CompletableFuture<>();
	}

	@Override
	public void close() {
	}

	@Override
	public CompletionStage<ReleaseResult> releaseAsync() {
		return CompletableFuture.completedStage(new ReleaseResult(0, 1, true));
	}

}
