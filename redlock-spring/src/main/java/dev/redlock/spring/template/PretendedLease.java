package dev.redlock.spring.template;

import java.time.Duration;
import java.util.AbstractSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A lease for tests. There is no real lease behind it, so it is always valid and never
 * lost.
 */
final class PretendedLease extends LeaseView {

	private static final Duration LONG_ENOUGH = Duration.ofMinutes(1);

	private PretendedLease(Set<String> resources) {
		super(resources, List.of(), null);
	}

	static PretendedLease of(List<String> resources) {
		return new PretendedLease(Collections.unmodifiableSet(new TreeSet<>(resources)));
	}

	static PretendedLease ofEverything() {
		return new PretendedLease(new Everything());
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
