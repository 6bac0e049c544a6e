package dev.redlock.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

import dev.redlock.LockAttempt;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.NodeVote;
import dev.redlock.spi.Scheduler.Timeout;
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
 * Requests of one process that wait for the same name stand in one line, and only the
 * first asks. It waits like a request for a lock, at each slot, so the release of any of
 * them wakes it.
 */
final class PermitAttempt extends Pending {

	private static final Duration SLACK = Duration.ofSeconds(1);

	private final KeyQueues queues;

	private final PermitNames names;

	private final Function<LockPlan, PendingAttempt> requests;

	private final Moment start;

	/** The requests for slots that have no outcome yet. */
	private final List<PendingAttempt> asking = new ArrayList<>();

	/** The timer for the end of the wait in line. */
	private Timeout patience = Timeout.NONE;

	private @Nullable LockAttempt refusal;

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
		this.start = Moment.now(context.ticker());
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
		return LockAttempt.failed(this.plan.resources(), reason, List.of(), 0, waited());
	}

	@Override
	void start() {
		if (this.queues.isClosed()) {
			end(Reason.SHUTTING_DOWN);
		}
		if (this.outcome.isDone()) {
			return;
		}
		if (!this.plan.waits()) {
			tryFirst();
		}
		else {
			this.names.join(this);
			if (this.names.first(this.plan) == this) {
				tryFirst();
			}
			else {
				this.patience = this.context.loop().schedule(left(), () -> end(reasonOf(this.names.first(this.plan))));
			}
		}
	}

	/**
	 * Leaves the line, and lets the next one ask if this was the first.
	 */
	private void stepOut() {
		this.patience.cancel();
		PermitAttempt next = this.names.leave(this);
		if (next != null) {
			next.patience.cancel();
			next.tryFirst();
		}
	}

	/**
	 * Asks at once, unless that would pass by another process that waits: a queue leaves
	 * it its turn, a single try does not.
	 */
	private void tryFirst() {
		List<Integer> slots = inRandomOrder(IntStream.rangeClosed(1, this.plan.permits()).boxed().toList());
		if (this.plan.waits() && slots.stream().anyMatch((slot) -> this.queues.knowOthers(this.plan.slotKey(slot)))) {
			waitForAll();
		}
		else {
			ask(slot(slots.get(0), Duration.ZERO), (attempt) -> lookAt(slots.subList(1, slots.size())));
		}
	}

	/**
	 * Tries one slot after the other, and waits if none is granted.
	 */
	private void tryEach(Queue<Integer> slots) {
		Integer next = slots.poll();
		if (next == null) {
			waitForAll();
		}
		else {
			// A separate event, because nodes that are down refuse within the call.
			ask(slot(next, Duration.ZERO), (attempt) -> {
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
			LockPlan read = slot(slot, Duration.ZERO);
			new Round(read.nodes(), read.quorum().majority(), this.context.loop(), new Round.Listener() {
				@Override
				public void decided(Tally tally) {
					compare(tally.named());
					if (tally.won()) {
						free.add(slot);
					}
					if (--left[0] == 0 && !PermitAttempt.this.outcome.isDone()) {
						tryEach(new ArrayDeque<>(inRandomOrder(free)));
					}
				}
			}).ask(read.nodeTimeout(), (node) -> node.inspect(this.plan.slotKey(slot)));
		}
	}

	private void waitForAll() {
		Duration left = left();
		if (!this.plan.waits() || left.isZero()) {
			end(reasonOf(this));
			return;
		}
		int[] open = { this.plan.permits() };
		for (int slot = 1; slot <= this.plan.permits() && !this.outcome.isDone(); slot++) {
			ask(slot(slot, left), (attempt) -> {
				if (--open[0] == 0) {
					end(reasonOf(this));
				}
			});
		}
	}

	/**
	 * Asks for one slot, and ends with its lease if it is granted.
	 * @param refused called with the outcome if it was not
	 */
	private void ask(LockPlan slot, Consumer<LockAttempt> refused) {
		PendingAttempt request = this.requests.apply(slot);
		this.asking.add(request);
		request.outcome().thenAccept((attempt) -> {
			this.asking.remove(request);
			this.tries += attempt.tries();
			attempt.lease().ifPresentOrElse((lease) -> {
				LockAttempt won = LockAttempt.won(lease, attempt.votes(), this.tries, waited());
				if (this.outcome.complete(won)) {
					leave(Reason.INTERRUPTED);
				}
				else {
					Engine.releaseUnused(lease);
				}
			}, () -> {
				if (!this.outcome.isDone()) {
					remember(attempt);
					refused.accept(attempt);
				}
			});
		});
		request.begin();
	}

	/** A permit that somebody holds says more than one that could not be asked for. */
	private void remember(LockAttempt attempt) {
		compare(attempt.votes());
		if (this.refusal == null || attempt.reason().filter(Reason.HELD::equals).isPresent()) {
			this.refusal = attempt;
		}
	}

	@Override
	void end(Reason reason) {
		LockAttempt last = this.refusal;
		this.outcome.complete(LockAttempt.failed(this.plan.resources(), reason,
				(last != null) ? last.votes() : List.of(), this.tries, waited()));
		leave(reason);
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

	private void leave(Reason reason) {
		List.copyOf(this.asking).forEach((request) -> request.giveUp(reason));
		stepOut();
	}

	/** Who waits in line is refused for the reason for which the first one was. */
	private static Reason reasonOf(@Nullable PermitAttempt first) {
		LockAttempt refused = (first != null) ? first.refusal : null;
		return (refused != null) ? refused.reason().orElse(Reason.TIMED_OUT) : Reason.TIMED_OUT;
	}

	private LockPlan slot(int number, Duration waitFor) {
		return this.plan.slot(number, waitFor);
	}

	private Duration left() {
		Duration left = this.plan.waitFor().minus(waited());
		return left.isNegative() ? Duration.ZERO : left;
	}

	private Duration waited() {
		return Duration.ofNanos(this.start.elapsedNanos(this.context.ticker()));
	}

	private List<Integer> inRandomOrder(List<Integer> slots) {
		List<Integer> shuffled = new ArrayList<>(slots);
		for (int i = shuffled.size() - 1; i > 0; i--) {
			shuffled.set(i, shuffled.set(this.context.random().nextInt(i + 1), shuffled.get(i)));
		}
		return shuffled;
	}

}
