package dev.redlock.test.lateholder;

import java.lang.StackWalker.StackFrame;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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

	/**
	 * Whether the call makes steps with a mark, so that a lease on a thread without a
	 * mark belongs to other work.
	 */
	private boolean marked;

	/**
	 * Whether the first step had no mark, but a lease.
	 */
	private boolean foundByLease;

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

	/**
	 * The writes during this run that may belong to the call or not, each with its
	 * thread.
	 */
	private final Map<String, String> foreignWrites = new LinkedHashMap<>();

	Run(int stopAt, boolean marked, Set<Set<String>> heldBefore) {
		this.stopAt = stopAt;
		this.marked = marked;
		this.heldBefore = heldBefore;
	}

	/**
	 * Returns the call to which an access belongs. The lease tells nothing about a call
	 * under another lock, and a new thread of a pool may do other work later.
	 * @return null if unknown
	 */
	synchronized @Nullable Mark owner(@Nullable Mark mark, @Nullable Mark ofTransaction, List<Lease> held,
			List<LeaseSnapshot> all) {
		Mark known = (mark != null && mark.run() == this) ? mark : null;
		if (known != null && known.certain()) {
			return known;
		}
		if (ofTransaction != null && ofTransaction.run() == this) {
			return ofTransaction;
		}
		LeaseSnapshot mine = this.lease;
		if (held.stream()
			.anyMatch((each) -> (mine != null) ? !Collections.disjoint(mine.resources(), each.resources())
					: !this.marked && !this.heldBefore.contains(each.resources()))) {
			this.foundByLease |= mine == null;
			return uncertain(held.get(0).isValid());
		}
		return (known == null && all.stream().anyMatch((lease) -> Code.runs(lease.origin()))) ? uncertain(false)
				: known;
	}

	private Mark uncertain(boolean locked) {
		return new Mark(this, this.phase == Phase.FROZEN || this.phase == Phase.LATE && locked && !this.rivalEnded,
				false);
	}

	/**
	 * Records that the call under test accesses a database or another service.
	 * @param current the leases under which the access happens, the innermost first;
	 * empty if unknown
	 * @return a stage that completes when the application may access the database or
	 * service
	 */
	synchronized CompletableFuture<Touch> arrive(String name, Mark mark, List<Lease> current, List<LeaseSnapshot> all) {
		Set<Set<String>> names = current.stream().map(Lease::resources).collect(Collectors.toSet());
		List<LeaseSnapshot> leases = all.stream()
			.filter((held) -> !this.heldBefore.contains(held.resources()) || names.contains(held.resources()))
			.sorted(Comparator.comparing((held) -> !names.contains(held.resources())))
			.toList();
		return switch (this.phase) {
			case CALLING -> leases.isEmpty() ? outsideOfLock() : step(name, mark, leases.get(0));
			case FROZEN -> mark.certain() ? afterFreeze() : CompletableFuture.completedFuture(Touch.UNWATCHED);
			case LATE -> CompletableFuture.completedFuture(new LateTouch(
					!current.isEmpty() ? current.get(0).isValid() : this.rivalEnded && !leases.isEmpty()));
			case CRASHED -> CompletableFuture.failedFuture(new CrashError());
			case OVER -> CompletableFuture.completedFuture(Touch.UNWATCHED);
		};
	}

	/**
	 * Returns an access that makes the run unjudged if it writes, because it may belong
	 * to the call.
	 */
	synchronized Touch foreign(String name, String thread) {
		return (this.phase == Phase.OVER) ? Touch.UNWATCHED : new Touch() {

			@Override
			public void wrote() {
				synchronized (Run.this) {
					Run.this.foreignWrites.putIfAbsent(thread, name);
				}
			}

		};
	}

	/**
	 * Returns the writes that may belong to the call or not, by their threads.
	 */
	synchronized Map<String, String> foreignWrites() {
		return Map.copyOf(this.foreignWrites);
	}

	synchronized void rolledBack() {
		this.rolledBack |= this.phase == Phase.LATE;
	}

	CompletableFuture<Void> frozen() {
		return this.frozen;
	}

	/**
	 * Ends the frozen call if {@code crash} is true, and otherwise lets the call go on. A
	 * run that is over stays over, because a task of its call may still work.
	 */
	void goOn(boolean crash) {
		synchronized (this) {
			if (this.phase != Phase.OVER) {
				this.phase = crash ? Phase.CRASHED : Phase.LATE;
			}
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

	synchronized boolean isMarked() {
		return this.marked;
	}

	/**
	 * Returns whether a thread with a lock of its own was taken for the call.
	 */
	synchronized boolean isMistaken() {
		return this.marked && this.foundByLease;
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

	private CompletableFuture<Touch> step(String name, Mark mark, LeaseSnapshot held) {
		this.lease = (this.lease != null) ? this.lease : held;
		this.steps.add(name);
		this.marked |= mark.certain();
		if (this.steps.size() != this.stopAt) {
			return CompletableFuture.completedFuture(Touch.UNWATCHED);
		}
		this.phase = Phase.FROZEN;
		CompletableFuture<Touch> touch = afterFreeze();
		this.frozen.complete(null);
		return touch;
	}

	private CompletableFuture<Touch> afterFreeze() {
		return this.goOn.thenApply((none) -> new LateTouch(false));
	}

	private enum Phase {

		CALLING, FROZEN, LATE, CRASHED, OVER

	}

	/**
	 * Recognizes lambdas of a locked method on threads that have no mark, for example of
	 * the common pool.
	 */
	private static final class Code {

		private static final Pattern LAMBDA = Pattern.compile("lambda\\$(\\w+)\\$\\d+|(\\w+)\\$lambda\\$\\d+");

		private static boolean runs(@Nullable String origin) {
			return origin != null && StackWalker.getInstance()
				.walk((frames) -> frames.anyMatch((frame) -> name(frame).endsWith("." + origin)));
		}

		private static String name(StackFrame frame) {
			return frame.getClassName().replace('$', '.') + "."
					+ LAMBDA.matcher(frame.getMethodName()).replaceFirst("$1$2");
		}

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
