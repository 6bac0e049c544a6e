package dev.redlock.spring.template;

import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

import dev.redlock.Lease;
import dev.redlock.LossReason;
import dev.redlock.ReleaseResult;

/**
 * Shows leases as one lease, and does not release them. Inner work gets such a view of
 * the leases of outer work. The view is valid while all of them are; token and fence are
 * those of the first.
 */
class LeaseView implements Lease {

	private final List<? extends Lease> leases;

	private final Set<String> resources;

	LeaseView(List<? extends Lease> leases) {
		this(leases,
				Collections.unmodifiableSet(leases.stream()
					.flatMap((lease) -> lease.resources().stream())
					.collect(Collectors.<String, Set<String>>toCollection(TreeSet::new))));
	}

	LeaseView(List<? extends Lease> leases, Set<String> resources) {
		this.leases = leases;
		this.resources = resources;
	}

	@Override
	public final Set<String> resources() {
		return this.resources;
	}

	@Override
	public String token() {
		return this.leases.get(0).token();
	}

	@Override
	public long fence() {
		return this.leases.get(0).fence();
	}

	@Override
	public Duration remaining() {
		return this.leases.stream().map(Lease::remaining).min(Comparator.naturalOrder()).orElseThrow();
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

	@Override
	public final boolean extend(Duration ttl) {
		return this.leases.stream().allMatch((lease) -> lease.extend(ttl));
	}

	@Override
	public final CompletionStage<Boolean> extendAsync(Duration ttl) {
		return this.leases.stream()
			.<CompletionStage<Boolean>>map((lease) -> lease.extendAsync(ttl))
			.reduce(CompletableFuture.completedStage(true),
					(one, other) -> one.thenCombine(other, Boolean::logicalAnd));
	}

	@Override
	public final CompletionStage<LossReason> lost() {
		if (this.leases.size() == 1) {
			return this.leases.get(0).lost();
		}
		CompletableFuture<LossReason> first = new CompletableFuture<>();
		this.leases.forEach((lease) -> lease.lost().thenAccept(first::complete));
		return first;
	}

	@Override
	public void close() {
		// Outer work still needs its leases.
	}

	@Override
	public CompletionStage<ReleaseResult> releaseAsync() {
		return CompletableFuture.completedStage(new ReleaseResult(0, 1, isValid()));
	}

	/**
	 * Shows the names only, because the token is a secret.
	 */
	@Override
	public String toString() {
		return "Lease" + this.resources;
	}

}
