package dev.redlock.spring.template;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import dev.redlock.CurrentLease;
import dev.redlock.LockLostException;
import dev.redlock.LossPolicy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leases that one piece of asynchronous work runs under: those of outer work, which
 * may end before this one does and must not release them then, and its own.
 */
final class WorkLeases {

	private static final Logger logger = LoggerFactory.getLogger(RedLockTemplate.class);

	private final List<BoundLease> leases;

	/**
	 * @param outer the leases of outer work, retained for this work too
	 */
	WorkLeases(List<BoundLease> outer) {
		this.leases = new CopyOnWriteArrayList<>(outer);
	}

	/**
	 * Adds a lease of this work's own.
	 */
	void add(BoundLease own) {
		this.leases.add(own);
	}

	/**
	 * Leaves a lease to somebody else, who releases it.
	 */
	void remove(BoundLease lease) {
		this.leases.remove(lease);
	}

	List<BoundLease> list() {
		return this.leases;
	}

	/**
	 * Starts the work with all leases bound to the thread, each in its own scope.
	 */
	<R> R call(Supplier<R> work) {
		return call(0, work);
	}

	/**
	 * How the work ended: an exception of its own wins and carries the losses.
	 */
	@Nullable Throwable outcome(@Nullable Throwable failure, LossPolicy policy) {
		Throwable outcome = failure;
		for (BoundLease lease : this.leases) {
			Optional<LockLostException> loss = LossWatch.report(lease, policy);
			if (loss.isPresent() && outcome != null) {
				outcome.addSuppressed(loss.get());
			}
			else if (loss.isPresent()) {
				outcome = loss.get();
			}
		}
		return outcome;
	}

	/**
	 * The work is done. A failure to release is logged: it hides no outcome.
	 * @return completes when nothing more is to be waited for
	 */
	CompletableFuture<?> release() {
		CompletableFuture<?>[] releases = this.leases.stream()
			.map(WorkLeases::done)
			.toArray(CompletableFuture<?>[]::new);
		return CompletableFuture.allOf(releases).exceptionally((ex) -> {
			logger.warn("The lock under {} was not released and ends with its ttl", this.leases, ex);
			return null;
		});
	}

	private <R> R call(int bound, Supplier<R> work) {
		if (bound == this.leases.size()) {
			return work.get();
		}
		CurrentLease.Scope scope = CurrentLease.open(this.leases.get(bound));
		try {
			return call(bound + 1, work);
		}
		finally {
			scope.close();
		}
	}

	private static CompletableFuture<?> done(BoundLease lease) {
		try {
			return lease.doneAsync().toCompletableFuture();
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

}
