package dev.redlock.spring.template;

import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.LossReason;
import dev.redlock.ReleaseResult;
import org.jspecify.annotations.Nullable;

/**
 * Shows leases as one lease on the names that a piece of work asked for. It is valid
 * while all of them are. It releases only the lease that the work acquired itself,
 * because outer work still needs the others.
 * <p>
 * A view without leases is for work that runs without a lock. It is always valid and
 * never lost.
 */
class LeaseView implements Lease {

	private static final long WITHOUT_LOCK = 1;

	private static final Duration LONG_ENOUGH = Duration.ofMinutes(1);

	private final Set<String> resources;

	private final List<? extends Lease> leases;

	private final @Nullable Lease own;

	/**
	 * @param resources the names that the work asked for, sorted
	 * @param leases the leases that cover these names, and maybe more
	 * @param own the lease among them that the work acquired itself, if it did
	 */
	LeaseView(Set<String> resources, List<? extends Lease> leases, @Nullable Lease own) {
		this.resources = resources;
		this.leases = leases;
		this.own = own;
	}

	/**
	 * The leases behind this one that work can re-enter.
	 */
	List<BoundLease> bound() {
		return this.leases.stream().filter(BoundLease.class::isInstance).map(BoundLease.class::cast).toList();
	}

	@Override
	public final Set<String> resources() {
		return this.resources;
	}

	@Override
	public final long fence() {
		return this.leases.isEmpty() ? WITHOUT_LOCK : single().fence();
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
	public final Duration remaining() {
		return this.leases.stream().map(Lease::remaining).min(Comparator.naturalOrder()).orElse(LONG_ENOUGH);
	}

	@Override
	public final boolean isValid() {
		// Each use of a lock asks this several times, and a stream would cost more than
		// the question.
		for (Lease lease : this.leases) {
			if (!lease.isValid()) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Extends one lease after the other, so that the first refusal stops before the rest.
	 * Of several leases, all must be valid. A single lease decides for itself.
	 */
	@Override
	public final boolean extend(Duration ttl) {
		return (this.leases.size() == 1 || isValid()) && this.leases.stream().allMatch((lease) -> lease.extend(ttl));
	}

	@Override
	public final CompletionStage<Boolean> extendAsync(Duration ttl) {
		if (this.leases.size() == 1) {
			return this.leases.get(0).extendAsync(ttl);
		}
		CompletionStage<Boolean> extended = CompletableFuture.completedStage(isValid());
		for (Lease lease : this.leases) {
			extended = extended
				.thenCompose((agreed) -> agreed ? lease.extendAsync(ttl) : CompletableFuture.completedStage(false));
		}
		return extended;
	}

	@Override
	public final CompletionStage<LossReason> lost() {
		if (this.leases.size() == 1) {
			return this.leases.get(0).lost();
		}
		CompletableFuture<LossReason> first = new CompletableFuture<>();
		this.leases.forEach((lease) -> lease.lost().thenAccept(first::complete));
		return first.minimalCompletionStage();
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
	 * Shows the names only, because the token is a secret.
	 */
	@Override
	public String toString() {
		return this.leases.isEmpty() ? "Lease[without lock]" : "Lease" + this.resources;
	}

	private Lease single() {
		if (this.leases.size() > 1) {
			String name = this.resources.iterator().next();
			throw new IllegalStateException("There are " + this.leases.size() + " leases on " + this.resources
					+ ", since outer calls hold some of these names, and each lease has its own fence. Ask for that of"
					+ " one name: lease.fence(\"%1$s\"), or CurrentLease.require(\"%1$s\").fence().".formatted(name));
		}
		return this.leases.get(0);
	}

}
