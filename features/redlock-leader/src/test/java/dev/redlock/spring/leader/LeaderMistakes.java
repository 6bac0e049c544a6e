package dev.redlock.spring.leader;

import dev.redlock.spring.annotation.RedLock;

/**
 * Beans with mistakes.
 */
final class LeaderMistakes {

	private LeaderMistakes() {
	}

	static class Nameless {

		@LeaderOnly(" ")
		public void run() {
		}

	}

	static class NameOfTheCall {

		@LeaderOnly("importer:#{#tenant}")
		public void run(String tenant) {
		}

	}

	static class UnknownPlaceholder {

		@LeaderOnly("${no.such.role}")
		public void run() {
		}

	}

	static class AlsoALock {

		@RedLock("stock")
		@LeaderOnly("importer")
		public void run() {
		}

	}

	static class LateResult {

		@LeaderOnly("importer")
		public Runnable run() {
			return () -> {
			};
		}

	}

	static class RoleIsALock {

		@LeaderOnly("importer")
		public void lead() {
		}

		@RedLock({ "stock", "importer" })
		public void lock() {
		}

	}

	/** Public, so that a proxy of another class loader can extend it. */
	public static class Fine {

		@LeaderOnly("importer")
		public void run() {
		}

	}

}
