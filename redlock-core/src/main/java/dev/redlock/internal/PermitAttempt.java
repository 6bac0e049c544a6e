package dev.redlock.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;

import dev.redlock.LockAttempt;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.NodeVote;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * A request for one of several permits. Each permit is a slot: a lock with a key, a token
 * and a fence of its own. So there are never more owners than slots, for the same reason
 * for which a lock never has two.
 *
 * <pre>
 *  IN LINE --first--&gt; TRY a random slot --refused--&gt; LOOK which slots are free
 *                                                              |
 *        first lease wins,                                     v
 *        the others are left &lt;-- WAIT for all slots &lt;--refused-- TRY each of them
 * </pre>
 *
 * Requests of one process that wait for the same permits stand in one line, and only the
 * first asks. It waits like a request for a lock, at each slot, so the release of any of
 * them wakes it.
 */
final class PermitAttempt extends Pending {

	private static final Duration SLACK = Duration.ofSeconds(1);

	private final KeyQueues queues;

	private final PermitNames names;

	private final Function<LockPlan, PendingAttempt> requests;

	private final Deadline deadline;

	/** The requests for slots that have no outcome yet. */
	private final List<PendingAttempt> asking = new ArrayList<>();

	/** The last refusal of each slot, and of the requests before this one in the line. */
	private final Map<Integer, Refusal> refusals = new HashMap<>();

	private int tries;

	/**
	 * Creates a request that has not begun.
	 * @param names the names with permits of this process; used on the loop only
	 * @param requests creates a request for one slot
	 */
	PermitAttempt(LockContext context, KeyQueues queues, PermitNames names, LockPlan plan,
			Function<LockPlan, PendingAttempt> requests) {
		super(context, plan);
		this.queues = queues;
		this.names = names;
		this.requests = requests;
		this.deadline = new Deadline(context, plan);
	}

	/**
	 * One try for each slot, one look, and the wait.
	 */
	@Override
	Duration bound() {
		return this.plan.waitFor().plus(this.plan.longestTry().multipliedBy(this.plan.permits() + 2L)).plus(SLACK);
	}

	@Override
	LockAttempt unanswered(Reason reason) {
		return LockAttempt.failed(this.plan.resources(), reason, List.of(), 0, this.deadline.waited());
	}

	@Override
	void start() {
		if (this.queues.isClosed()) {
			end(Reason.SHUTTING_DOWN);
		}
		if (this.outcome.isDone()) {
			return;
		}
		LockAttempt own = this.plan.waits() ? heldByItsThread() : null;
		if (own != null) {
			finish(failed(Reason.HELD, own.votes()));
		}
		else if (!this.plan.waits()) {
			askFirst();
		}
		else {
			this.names.join(this);
			if (this.names.first(this.plan) == this) {
				askFirst();
			}
			else {
				this.deadline.watch(this::endRefused);
			}
		}
	}

	/**
	 * Leaves the line, and lets the next one ask if this was the first.
	 */
	private void stepOut() {
		this.deadline.cancel();
		PermitAttempt next = this.names.leave(this);
		if (next != null) {
			next.refusals.putAll(this.refusals);
			// A separate event, because thousands of requests may end in a row.
			this.context.loop().post(next::askFirst);
		}
	}

	/**
	 * Asks at once, unless that would pass by another process that waits: a queue leaves
	 * it its turn, a single try does not.
	 */
	private void askFirst() {
		if (this.outcome.isDone()) {
			stepOut();
			return;
		}
		this.deadline.cancel();
		List<Integer> slots = inRandomOrder(IntStream.rangeClosed(1, this.plan.permits()).boxed().toList());
		if (this.plan.waits() && slots.stream().anyMatch((slot) -> this.queues.knowOthers(this.plan.slotKey(slot)))) {
			waitForAll();
		}
		else {
			ask(slots.get(0), Duration.ZERO, () -> lookAt(slots.subList(1, slots.size())));
		}
	}

	/**
	 * Tries one slot after the other, and waits if none is granted.
	 */
	private void tryEach(Queue<Integer> slots) {
		Integer next = slots.poll();
		if (next == null || (this.plan.waits() && this.deadline.left().isZero())) {
			waitForAll();
		}
		else {
			ask(next, Duration.ZERO, () -> {
				// The nodes are the same for each slot, so the next try would end alike.
				Refusal last = this.refusals.get(next);
				if (last != null && last.reason == Reason.NO_QUORUM) {
					slots.clear();
				}
				// A separate event, because nodes that are down refuse within the call.
				boolean posted = this.context.loop().post(() -> {
					if (!this.outcome.isDone()) {
						tryEach(slots);
					}
				});
				if (!posted) {
					end(Reason.SHUTTING_DOWN);
				}
			});
		}
	}

	/**
	 * Reads the keys of all slots at once, and tries those that a majority calls free.
	 */
	private void lookAt(List<Integer> slots) {
		if (slots.isEmpty()) {
			waitForAll();
			return;
		}
		List<Integer> free = new ArrayList<>();
		int[] left = { slots.size() };
		for (int slot : slots) {
			new Round(this.plan.nodes(), this.plan.quorum().majority(), this.context.loop(), new Round.Listener() {
				@Override
				public void decided(Tally tally) {
					if (tally.won()) {
						free.add(slot);
						PermitAttempt.this.refusals.remove(slot);
					}
					else {
						remember(slot, tally.whyNotWon(), tally.named());
					}
					if (--left[0] == 0 && !PermitAttempt.this.outcome.isDone()) {
						tryEach(new ArrayDeque<>(inRandomOrder(free)));
					}
				}
			}).ask(this.plan.nodeTimeout(), (node) -> node.inspect(this.plan.slotKey(slot)));
		}
	}

	private void waitForAll() {
		Duration left = this.deadline.left();
		if (!this.plan.waits() || left.isZero()) {
			endRefused();
			return;
		}
		int[] open = { this.plan.permits() };
		for (int slot = 1; slot <= this.plan.permits() && !this.outcome.isDone(); slot++) {
			ask(slot, left, () -> {
				if (--open[0] == 0) {
					endRefused();
				}
			});
		}
	}

	/**
	 * Returns the failure of a thread that waits while it holds all permits itself,
	 * otherwise null.
	 */
	private @Nullable LockAttempt heldByItsThread() {
		LockAttempt own = null;
		for (int slot = 1; slot <= this.plan.permits(); slot++) {
			own = this.requests.apply(this.plan.slot(slot, Duration.ZERO)).heldByItsThread();
			if (own == null) {
				return null;
			}
		}
		return own;
	}

	/**
	 * Asks for one slot, and ends with its lease if it is granted.
	 * @param refused called if it was not
	 */
	private void ask(int slot, Duration waitFor, Runnable refused) {
		PendingAttempt request = this.requests.apply(this.plan.slot(slot, waitFor));
		this.asking.add(request);
		request.outcome().thenAccept((attempt) -> {
			this.asking.remove(request);
			this.tries += attempt.tries();
			attempt.lease().ifPresentOrElse((lease) -> {
				if (!finish(LockAttempt.won(lease, attempt.votes(), this.tries, this.deadline.waited()))) {
					Engine.releaseUnused(lease);
				}
			}, () -> {
				if (!this.outcome.isDone()) {
					remember(slot, attempt.reason().orElseThrow(), attempt.votes());
					refused.run();
				}
			});
		});
		request.begin();
	}

	private void remember(int slot, Reason reason, List<NodeVote> votes) {
		compare(votes);
		this.refusals.put(slot, new Refusal(reason, votes));
	}

	/**
	 * Ends with the last refusals. The permits are held only if each of them is.
	 */
	private void endRefused() {
		Map<Integer, Refusal> last = this.refusals;
		if (last.isEmpty()) {
			PermitAttempt first = this.names.first(this.plan);
			last = (first != null) ? first.refusals : last;
		}
		Refusal told = last.values()
			.stream()
			.filter((refusal) -> refusal.reason != Reason.HELD)
			.findFirst()
			.orElse(last.values().stream().findFirst().orElse(new Refusal(Reason.TIMED_OUT, List.of())));
		finish(failed(told.reason, told.votes));
	}

	@Override
	void end(Reason reason) {
		finish(failed(reason, this.refusals.values().stream().findFirst().map(Refusal::votes).orElse(List.of())));
	}

	private LockAttempt failed(Reason reason, List<NodeVote> votes) {
		return LockAttempt.failed(this.plan.resources(), reason, votes, this.tries, this.deadline.waited());
	}

	/**
	 * Ends the request, gives up all slots that it still asks for, and leaves the line.
	 * @return whether it had no outcome before
	 */
	private boolean finish(LockAttempt attempt) {
		boolean had = !this.outcome.complete(attempt);
		// Needed also after a caller gave up because the loop was blocked.
		List.copyOf(this.asking).forEach((request) -> request.giveUp(attempt.reason().orElse(Reason.INTERRUPTED)));
		stepOut();
		return !had;
	}

	/** Warns if an owner of a permit counts another number of them. */
	private void compare(List<NodeVote> votes) {
		votes.stream()
			.map(NodeVote::vote)
			.filter(Vote.Refused.class::isInstance)
			.mapToInt((vote) -> Tokens.permits(((Vote.Refused) vote).holder()))
			.filter((permits) -> permits > 0 && permits != this.plan.permits())
			.findFirst()
			.ifPresent((permits) -> this.names.warn(this.plan, permits));
	}

	private List<Integer> inRandomOrder(List<Integer> slots) {
		List<Integer> shuffled = new ArrayList<>(slots);
		for (int i = shuffled.size() - 1; i > 0; i--) {
			shuffled.set(i, shuffled.set(this.context.random().nextInt(i + 1), shuffled.get(i)));
		}
		return shuffled;
	}

	/** Why a slot was not granted. */
	private record Refusal(Reason reason, List<NodeVote> votes) {

	}

}
