package dev.redlock.spring.template;

import java.time.Duration;
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
 * Shows inner work the leases of outer work, and does not let it release them. It is
 * valid while all of them are; token and fence are those of the first.
 */
final class NestedLease implements Lease {

	private final List<BoundLease> outer;

	NestedLease(List<BoundLease> outer) {
		this.outer = outer;
	}

	@Override
	public Set<String> resources() {
		return this.outer.stream()
			.flatMap((lease) -> lease.resources().stream())
			.collect(Collectors.toCollection(TreeSet::new));
	}

	@Override
	public String token() {
		return this.outer.get(0).token();
	}

	@Override
	public long fence() {
		return this.outer.get(0).fence();
	}

	@Override
	public Duration remaining() {
		return this.outer.stream().map(Lease::remaining).min(Comparator.naturalOrder()).orElse(Duration.ZERO);
	}

	@Override
	public boolean isValid() {
		return this.outer.stream().allMatch(Lease::isValid);
	}

	@Override
	public boolean extend(Duration ttl) {
		return this.outer.stream().allMatch((lease) -> lease.extend(ttl));
	}

	@Override
	public CompletionStage<Boolean> extendAsync(Duration ttl) {
		return this.outer.stream()
			.<CompletionStage<Boolean>>map((lease) -> lease.extendAsync(ttl))
			.reduce(CompletableFuture.completedStage(true),
					(one, other) -> one.thenCombine(other, Boolean::logicalAnd));
	}

	@Override
	public CompletionStage<LossReason> lost() {
		if (this.outer.size() == 1) {
			return this.outer.get(0).lost();
		}
		CompletableFuture<LossReason> first = new CompletableFuture<>();
		this.outer.forEach((lease) -> lease.lost().thenAccept(first::complete));
		return first;
	}

	/**
	 * Does nothing: the outer work releases its leases.
	 */
	@Override
	public void close() {
		// The outer work still needs the lock.
	}

	/**
	 * Releases nothing.
	 */
	@Override
	public CompletionStage<ReleaseResult> releaseAsync() {
		return CompletableFuture.completedStage(new ReleaseResult(0, 1, isValid()));
	}

	/**
	 * Shows the names only, because the token is a secret.
	 */
	@Override
	public String toString() {
		return "Lease" + resources();
	}

}
