package dev.redlock.spring.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.redlock.LockLostException;
import dev.redlock.LossPolicy;
import dev.redlock.Redlock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leases whose work has ended and whose transaction has not. Thread-safe: a transaction
 * may be completed by another thread than the one that works in it.
 */
final class KeptLeases {

	private static final Logger logger = LoggerFactory.getLogger(RedLockTemplate.class);

	private final List<Kept> kept = new CopyOnWriteArrayList<>();

	void add(BoundLease lease, LossPolicy policy) {
		this.kept.add(new Kept(lease, policy));
	}

	Optional<BoundLease> find(String resource, Redlock lock) {
		return leases(lock).stream().filter((lease) -> lease.resources().contains(resource)).findFirst();
	}

	List<BoundLease> leases(Redlock lock) {
		return this.kept.stream().map(Kept::lease).filter((lease) -> lease.isOf(lock) && !lease.isClosed()).toList();
	}

	/**
	 * To be called before the commit: what was written without the lock must not be
	 * committed.
	 * @throws LockLostException if a lease was lost, unless that is to be ignored
	 */
	void requireValid() {
		for (Kept each : this.kept) {
			LossWatch.report(each.lease(), each.policy()).ifPresent((loss) -> {
				throw loss;
			});
		}
	}

	/**
	 * Releases the leases after the transaction.
	 * @param committed whether what was written under them may be visible
	 */
	void release(boolean committed) {
		for (BoundLease lease : end(committed)) {
			try {
				lease.done();
			}
			catch (RuntimeException ex) {
				notReleased(lease, ex);
			}
		}
	}

	/**
	 * Like {@link #release(boolean)}, without waiting.
	 */
	CompletableFuture<?> releaseAsync(boolean committed) {
		return CompletableFuture.allOf(end(committed).stream().map(KeptLeases::done).toArray(CompletableFuture[]::new));
	}

	private List<BoundLease> end(boolean committed) {
		List<BoundLease> leases = new ArrayList<>();
		for (Kept each : this.kept) {
			// Too late for the transaction, so the log is the only one to tell.
			if (committed && each.policy() != LossPolicy.IGNORE) {
				each.lease().loss().ifPresent((loss) -> lostDuringCommit(each.lease(), loss));
			}
			leases.add(0, each.lease());
		}
		this.kept.clear();
		return leases;
	}

	private static void lostDuringCommit(BoundLease lease, LockLostException loss) {
		logger.atWarn()
			.addKeyValue("redlock.resources", lease.resources())
			.addKeyValue("redlock.reason", loss.reason())
			.log("During a commit: {}", loss.getMessage());
	}

	private static CompletableFuture<?> done(BoundLease lease) {
		CompletableFuture<?> done;
		try {
			done = lease.doneAsync().toCompletableFuture();
		}
		catch (RuntimeException ex) {
			done = CompletableFuture.failedFuture(ex);
		}
		return done.exceptionally((ex) -> {
			notReleased(lease, ex);
			return null;
		});
	}

	private static void notReleased(BoundLease lease, Throwable failure) {
		logger.warn("The lock on {} was not released and ends with its ttl", lease.resources(), failure);
	}

	private record Kept(BoundLease lease, LossPolicy policy) {

	}

}
