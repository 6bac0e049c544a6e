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

	static class FinalMethod {

		@LeaderOnly("importer")
		public final void run() {
		}

	}

	static class PrivateMethod {

		@LeaderOnly("importer")
		private void run() {
		}

	}

	static class StaticMethod {

		@LeaderOnly("importer")
		public static void run() {
		}

	}

	static final class FinalClass {

		@LeaderOnly("importer")
		public void run() {
		}

	}

	static class PrimitiveResult {

		@LeaderOnly("importer")
		public int run() {
			return 1;
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
