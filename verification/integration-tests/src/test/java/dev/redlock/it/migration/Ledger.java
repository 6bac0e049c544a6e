package dev.redlock.it.migration;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Something to write to.
 */
class Ledger {

	private final List<String> entries = new CopyOnWriteArrayList<>();

	private final List<Long> fences = new CopyOnWriteArrayList<>();

	int write(String entry, long fence) {
		this.fences.add(fence);
		return write(entry);
	}

	int write(String entry) {
		this.entries.add(entry);
		return this.entries.size();
	}

	List<String> entries() {
		return this.entries;
	}

	List<Long> fences() {
		return this.fences;
	}

}
