package dev.redlock.test.lateholder;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.redlock.Lease;
import dev.redlock.LeaseSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * One run of the call under test. Numbers the steps of the call, freezes the call before
 * one step, and records its later accesses to databases and services. <pre>
 * CALLING → FROZEN → LATE or CRASHED → OVER
 * </pre>
 */
final class Run {

	private static final int MOST_CAUSES = 20;

	/**
	 * The number of the step before which the call under test is frozen, counted from 1;
	 * 0 to freeze no step.
	 */
	private final int stopAt;

	/**
	 * The lock names of each lease that the application held before the call, for example
	 * as the leader of a role.
	 */
	private final Set<Set<String>> heldBefore;

	private final List<String> steps = new ArrayList<>();

	private final CompletableFuture<Void> frozen = new CompletableFuture<>();

	private final CompletableFuture<Void> goOn = new CompletableFuture<>();

	private Phase phase = Phase.CALLING;

	private boolean withoutLock;

	/**
	 * Whether the rival call has ended, so that a new lease can only belong to the frozen
	 * call.
	 */
	private boolean rivalEnded;

	private boolean rivalLocked;

	private boolean rivalWithoutLock;

	/**
	 * Whether the frozen call has changed data without a lock after its lock had expired.
	 */
	private boolean landed;

	private boolean repeated;

	private boolean rolledBack;

	private @Nullable String refusal;

	private @Nullable LeaseSnapshot lease;

	Run(int stopAt, Set<Set<String>> heldBefore) {
		this.stopAt = stopAt;
		this.heldBefore = heldBefore;
	}

	/**
	 * Records that the call under test accesses a database or another service.
	 * @param current the lease under which the access happens; null if unknown
	 * @return a stage that completes when the application may access the database or
	 * service
	 */
	synchronized CompletableFuture<Touch> arrive(String name, @Nullable Lease current, List<LeaseSnapshot> all) {
		List<LeaseSnapshot> leases = all.stream()
			.filter((held) -> !this.heldBefore.contains(held.resources())
					|| (current != null && held.resources().equals(current.resources())))
			.toList();
		return switch (this.phase) {
			case CALLING -> leases.isEmpty() ? outsideOfLock() : step(name, leases.get(0));
			case LATE -> CompletableFuture.completedFuture(
					new LateTouch((current != null) ? current.isValid() : this.rivalEnded && !leases.isEmpty()));
			case CRASHED -> CompletableFuture.failedFuture(new CrashError());
			case FROZEN, OVER -> CompletableFuture.completedFuture(Touch.UNWATCHED);
		};
	}

	synchronized void rolledBack() {
		this.rolledBack |= this.phase == Phase.LATE;
	}

	CompletableFuture<Void> frozen() {
		return this.frozen;
	}

	/**
	 * Ends the frozen call if {@code crash} is true, and otherwise lets the call go on.
	 */
	void goOn(boolean crash) {
		synchronized (this) {
			this.phase = crash ? Phase.CRASHED : Phase.LATE;
		}
		if (crash) {
			this.goOn.completeExceptionally(new CrashError());
		}
		else {
			this.goOn.complete(null);
		}
	}

	synchronized void recordRivalAccess(List<LeaseSnapshot> all) {
		LeaseSnapshot mine = this.lease;
		this.rivalLocked |= mine != null
				&& all.stream().anyMatch((held) -> !Collections.disjoint(held.resources(), mine.resources()));
		this.rivalWithoutLock = !this.rivalLocked;
	}

	/**
	 * Returns whether the rival call accessed a database or another service, but never
	 * under the lock of the call under test.
	 */
	synchronized boolean isRivalWithoutLock() {
		return this.rivalWithoutLock;
	}

	synchronized void rivalEnded() {
		this.rivalEnded = true;
	}

	synchronized void over() {
		this.phase = Phase.OVER;
	}

	synchronized List<String> steps() {
		return List.copyOf(this.steps);
	}

	synchronized boolean accessedWithoutLock() {
		return this.withoutLock;
	}

	boolean leadsRole() {
		return !this.heldBefore.isEmpty();
	}

	/**
	 * Returns the lease under which the call under test made its first step; null if the
	 * call made no step.
	 */
	synchronized @Nullable LeaseSnapshot lease() {
		return this.lease;
	}

	/**
	 * Describes what the frozen call did after the freeze, for the table that the test
	 * prints.
	 */
	synchronized String outcome(@Nullable Throwable failure) {
		String thrown = (failure != null) ? failure.getClass().getSimpleName() : "";
		boolean nothing = !this.landed && !this.repeated;
		String refused = (this.refusal != null) ? this.refusal : staleFence(failure);
		if (nothing && refused != null) {
			return "refused: " + refused;
		}
		if (nothing && this.rolledBack) {
			return "rolled back" + (thrown.isEmpty() ? "" : ": " + thrown);
		}
		return (this.landed ? "LANDED LATE" : this.repeated ? "repeated under a new lock" : "wrote nothing")
				+ (thrown.isEmpty() ? "" : ", then " + thrown);
	}

	private static @Nullable String staleFence(@Nullable Throwable failure) {
		return Stream.iterate(failure, Objects::nonNull, (thrown) -> (thrown != null) ? thrown.getCause() : null)
			.limit(MOST_CAUSES)
			.map((thrown) -> (thrown != null) ? thrown.getClass().getSimpleName() : "")
			.filter("StaleFenceException"::equals)
			.findFirst()
			.orElse(null);
	}

	private CompletableFuture<Touch> outsideOfLock() {
		this.withoutLock = true;
		return CompletableFuture.completedFuture(Touch.UNWATCHED);
	}

	private CompletableFuture<Touch> step(String name, LeaseSnapshot held) {
		this.lease = (this.lease != null) ? this.lease : held;
		this.steps.add(name);
		if (this.steps.size() != this.stopAt) {
			return CompletableFuture.completedFuture(Touch.UNWATCHED);
		}
		this.phase = Phase.FROZEN;
		CompletableFuture<Touch> touch = this.goOn.thenApply((none) -> new LateTouch(false));
		this.frozen.complete(null);
		return touch;
	}

	private enum Phase {

		CALLING, FROZEN, LATE, CRASHED, OVER

	}

	/**
	 * An access to a database or another service that the call under test makes after the
	 * freeze.
	 */
	private final class LateTouch implements Touch {

		private final boolean lockedAgain;

		private LateTouch(boolean lockedAgain) {
			this.lockedAgain = lockedAgain;
		}

		@Override
		public void wrote() {
			synchronized (Run.this) {
				Run.this.repeated |= this.lockedAgain;
				Run.this.landed |= !this.lockedAgain;
			}
		}

		@Override
		public void refused(String answer) {
			synchronized (Run.this) {
				Run.this.refusal = answer;
			}
		}

	}

}
