package dev.redlock.spring.template;

import java.time.Duration;
import java.util.AbstractSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.redlock.Lease;
import dev.redlock.LossReason;
import dev.redlock.ReleaseResult;

/**
 * A lease for tests. It is always valid, and no node knows it.
 */
final class PretendedLease implements Lease {

	private static final Duration LONG_ENOUGH = Duration.ofMinutes(1);

	private final Set<String> resources;

	private PretendedLease(Set<String> resources) {
		this.resources = resources;
	}

	static PretendedLease of(List<String> resources) {
		return new PretendedLease(Collections.unmodifiableSet(new TreeSet<>(resources)));
	}

	static PretendedLease ofEverything() {
		return new PretendedLease(new Everything());
	}

	@Override
	public Set<String> resources() {
		return this.resources;
	}

	@Override
	public String token() {
		return "test-mode";
	}

	@Override
	public long fence() {
		return 1;
	}

	@Override
	public Duration remaining() {
		return LONG_ENOUGH;
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
		// No node has anything to release.
	}

	@Override
	public CompletionStage<ReleaseResult> releaseAsync() {
		return CompletableFuture.completedStage(new ReleaseResult(0, 1, true));
	}

	@Override
	public String toString() {
		return "Lease[test mode]";
	}

	/**
	 * Contains every name and lists none.
	 */
	private static final class Everything extends AbstractSet<String> {

		@Override
		public boolean contains(Object name) {
			return true;
		}

		@Override
		public Iterator<String> iterator() {
			return Collections.emptyIterator();
		}

		@Override
		public int size() {
			return 0;
		}

	}

}
