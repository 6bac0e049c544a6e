package dev.redlock;

import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;

/**
 * A read-only set over the names of a request, which are sorted and distinct.
 */
final class SortedNames extends AbstractSet<String> {

	private final List<String> names;

	SortedNames(List<String> names) {
		this.names = names;
	}

	@Override
	public Iterator<String> iterator() {
		return this.names.iterator();
	}

	@Override
	public int size() {
		return this.names.size();
	}

	@Override
	public boolean contains(Object name) {
		return this.names.contains(name);
	}

}
