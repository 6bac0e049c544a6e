package dev.redlock.spring.internal.lease;

import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.LossReason;
import dev.redlock.ReleaseResult;
import org.jspecify.annotations.Nullable;

/**
 * Shows several leases as one lease on the names that a call requested. Closing a
 * {@code LeaseView} releases only the lease that the call acquired itself, because outer
 * calls still need the other leases.
 */
public class LeaseView implements Lease {

	private final Set<String> resources;

	private final List<? extends Lease> leases;

	private final @Nullable Lease own;

	/**
	 * @param own the lease that the call acquired itself; null if the call re-enters
	 * outer leases only
	 */
	public LeaseView(Set<String> resources, List<? extends Lease> leases, @Nullable Lease own) {
		this.resources = resources;
		this.leases = leases;
		this.own = own;
	}

	public static Stream<BoundLease> bound(List<? extends Lease> leases) {
		return leases.stream()
			.flatMap((lease) -> (lease instanceof LeaseView view) ? view.bound().stream() : Stream.empty());
	}

	public List<BoundLease> bound() {
		return this.leases.stream().filter(BoundLease.class::isInstance).map(BoundLease.class::cast).toList();
	}

	@Override
	public final Set<String> resources() {
		return this.resources;
	}

	@Override
	public long fence() {
		return single().fence();
	}

	@Override
	public final boolean isPermit() {
		return this.leases.size() == 1 && this.leases.get(0).isPermit();
	}

	@Override
	public final Lease forResource(String resource) {
		Lease covering = Lease.super.forResource(resource);
		if (this.leases.size() < 2) {
			return covering;
		}
		String name = LockRequest.of(resource).resources().get(0);
		Lease part = this.leases.stream().filter((lease) -> lease.resources().contains(name)).findFirst().orElseThrow();
		Set<String> names = new TreeSet<>(this.resources);
		names.retainAll(part.resources());
		return new LeaseView(Collections.unmodifiableSet(names), List.of(part), null);
	}

	@Override
	public Duration remaining() {
		return this.leases.stream().map(Lease::remaining).min(Comparator.naturalOrder()).orElseThrow();
	}

	@Override
	public final boolean isValid() {
		// A loop is faster than a stream, and isValid() runs several times for each use
		// of a lock.
		for (Lease lease : this.leases) {
			if (!lease.isValid()) {
				return false;
			}
		}
		return true;
	}

	@Override
	public final boolean extend(Duration ttl) {
		return isWorthExtending() && this.leases.stream().allMatch((lease) -> lease.extend(ttl));
	}

	@Override
	public final CompletionStage<Boolean> extendAsync(Duration ttl) {
		return isWorthExtending() ? extendAll(this.leases, ttl) : CompletableFuture.completedStage(false);
	}

	/**
	 * Extends the leases one after the other. The first extension is requested before
	 * this method returns, so that a forbidden ttl throws an exception here, as in
	 * {@link #extend}.
	 */
	private static CompletionStage<Boolean> extendAll(List<? extends Lease> leases, Duration ttl) {
		return leases.isEmpty() ? CompletableFuture.completedStage(true)
				: leases.get(0)
					.extendAsync(ttl)
					.thenCompose((extended) -> extended ? extendAll(leases.subList(1, leases.size()), ttl)
							: CompletableFuture.completedStage(false));
	}

	@Override
	public final CompletionStage<LossReason> lost() {
		if (this.leases.size() == 1) {
			return this.leases.get(0).lost();
		}
		List<CompletableFuture<LossReason>> losses = this.leases.stream()
			.map((lease) -> lease.lost().toCompletableFuture())
			.toList();
		CompletableFuture<LossReason> first = new CompletableFuture<>();
		losses.forEach((loss) -> loss.thenAccept(first::complete));
		// The leases may be held for weeks, so a completed or cancelled stage must leave
		// no listeners on them.
		first.whenComplete((reason, failure) -> losses.forEach((loss) -> loss.cancel(false)));
		return first;
	}

	@Override
	public void close() {
		if (this.own != null) {
			this.own.close();
		}
	}

	@Override
	public CompletionStage<ReleaseResult> releaseAsync() {
		return (this.own != null) ? this.own.releaseAsync()
				: CompletableFuture.completedStage(new ReleaseResult(0, 1, isValid()));
	}

	/**
	 * Only the call that acquired a lease may detach it, because outer calls and their
	 * transactions still need their leases.
	 */
	@Override
	public String detach() {
		throw notDetachable("an outer call or transaction needs it. Detach the lease of the outermost call, which must "
				+ "begin outside of the transaction");
	}

	final IllegalStateException notDetachable(String because) {
		return new IllegalStateException("The lease on " + resources() + " cannot be detached: " + because + ".");
	}

	/**
	 * The text of a lease shows only the locked names, because the token is a secret.
	 */
	@Override
	public String toString() {
		return "Lease" + this.resources;
	}

	/**
	 * Extending several leases is useless if one of them is no longer valid.
	 */
	private boolean isWorthExtending() {
		return this.leases.size() < 2 || isValid();
	}

	private Lease single() {
		if (this.leases.size() > 1) {
			String name = this.resources.iterator().next();
			throw new IllegalStateException("There are " + this.leases.size() + " leases on " + this.resources
					+ ", because outer calls locked some names, and each lease has its own fence. Ask for the fence of "
					+ "one name: lease.fence(\"%1$s\"), or CurrentLease.require(\"%1$s\").fence().".formatted(name));
		}
		return this.leases.get(0);
	}

}
