package dev.redlock.spring.template;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The pieces of work that run directly inside of the same work and need names that it
 * holds. Those on one name run one after the other, in the order in which they ask.
 * Thread-safe.
 */
final class Siblings {

	private final Set<String> busy = new HashSet<>();

	private final Deque<Waiter> waiting = new ArrayDeque<>();

	/**
	 * Asks for names.
	 * @return completes when no earlier piece of work needs one of them; to cancel it
	 * gives up
	 */
	CompletableFuture<Void> enter(Set<String> names) {
		CompletableFuture<Void> entered = new CompletableFuture<>();
		synchronized (this) {
			this.waiting.add(new Waiter(names, entered));
		}
		admit();
		if (!entered.isDone()) {
			entered.exceptionally((gaveUp) -> {
				admit();
				return null;
			});
		}
		return entered;
	}

	/**
	 * Ends the work of a piece that has entered, and lets the next ones begin.
	 */
	void leave(Set<String> names) {
		synchronized (this) {
			this.busy.removeAll(names);
		}
		admit();
	}

	private void admit() {
		for (Waiter next : next()) {
			if (!next.entered.complete(null)) {
				leave(next.names);
			}
		}
	}

	private synchronized List<Waiter> next() {
		List<Waiter> admitted = new ArrayList<>();
		Set<String> needed = new HashSet<>(this.busy);
		for (Iterator<Waiter> waiters = this.waiting.iterator(); waiters.hasNext();) {
			Waiter waiter = waiters.next();
			if (waiter.entered.isDone()) {
				waiters.remove();
				continue;
			}
			if (Collections.disjoint(needed, waiter.names)) {
				waiters.remove();
				this.busy.addAll(waiter.names);
				admitted.add(waiter);
			}
			needed.addAll(waiter.names);
		}
		return admitted;
	}

	private record Waiter(Set<String> names, CompletableFuture<Void> entered) {

	}

}
