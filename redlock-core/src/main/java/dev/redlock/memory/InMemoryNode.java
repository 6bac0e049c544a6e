package dev.redlock.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.redlock.Tick;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Granted;
import dev.redlock.spi.Watch;

/**
 * A node that keeps its locks in memory, and can be made to fail. The node answers at
 * once, on the calling thread, unless it is frozen.
 */
public final class InMemoryNode implements LockNode {

	private static final Runnable SILENCE = () -> {
	};

	private final String name;

	private final Ticker ticker;

	private final ReentrantLock order = new ReentrantLock();

	private final InMemoryKeys keys;

	private final InMemoryWatches watches = new InMemoryWatches(() -> locked(() -> this.mode == Mode.UP));

	private final List<Supplier<Runnable>> waiting = new ArrayList<>();

	private Mode mode = Mode.UP;

	private long clockOffsetMicros;

	/**
	 * Creates an empty node.
	 */
	public InMemoryNode(String name, Ticker ticker) {
		this(name, ticker, Duration.ofDays(1));
	}

	/**
	 * Creates an empty node that refuses to vote on fences far from its own clock.
	 * @param clockTolerance how far a proposed fence may be from the node's time
	 */
	public InMemoryNode(String name, Ticker ticker, Duration clockTolerance) {
		this.name = name;
		this.ticker = ticker;
		this.keys = new InMemoryKeys(TimeUnit.NANOSECONDS.toMicros(clockTolerance.toNanos()));
	}

	/**
	 * Makes the node unreachable: it answers every operation with a fault, and keeps its
	 * keys.
	 */
	public void down() {
		become(Mode.DOWN);
	}

	/**
	 * Makes the node accept operations without running or answering them. The next call
	 * of {@link #up()} runs the waiting operations in their order.
	 */
	public void freeze() {
		become(Mode.FROZEN);
	}

	/**
	 * Makes the node run operations without ever answering.
	 */
	public void mute() {
		become(Mode.MUTE);
	}

	/**
	 * Makes the node healthy again.
	 */
	public void up() {
		List<Runnable> replies = locked(() -> {
			this.mode = Mode.UP;
			// All waiting operations run under the mutex, so that no new operation runs
			// between them.
			List<Runnable> due = this.waiting.stream().map(Supplier::get).toList();
			this.waiting.clear();
			return due;
		});
		replies.forEach(Runnable::run);
		this.watches.reachableAgain();
	}

	/**
	 * Forgets all locks, fence counters and runs of jobs, as a restart of Redis without
	 * persistence does.
	 */
	public void forget() {
		change(this.keys::clear);
	}

	/**
	 * Makes the node's clock step, which also changes the remaining time of each lock.
	 * @param step the step of the node's clock, negative to go back
	 */
	public void stepClock(Duration step) {
		change(() -> this.clockOffsetMicros += TimeUnit.NANOSECONDS.toMicros(step.toNanos()));
	}

	/**
	 * Returns the tokens of the locks that the node holds now, by their keys.
	 */
	public Map<String, String> tokens() {
		return locked(() -> this.keys.tokens(nowMicros()));
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public NodeStatus status() {
		return locked(() -> (this.mode == Mode.DOWN)
				? NodeStatus.of(State.UNAVAILABLE, "this in-memory node was set to be down") : NodeStatus.READY);
	}

	@Override
	public CompletionStage<Vote> acquire(Claim claim, long fence) {
		return answer(() -> {
			Vote vote = this.keys.acquire(claim, fence, nowMicros());
			boolean handedOver = claim.succeeds() != null && !claim.succeeds().strict();
			return (handedOver && vote instanceof Granted granted)
					? new Granted(granted.fence(), granted.nodeMicros(), listeners(claim)) : vote;
		});
	}

	@Override
	public CompletionStage<Vote> extend(Claim claim, long fence) {
		return answer(() -> this.keys.extend(claim, fence, nowMicros()));
	}

	@Override
	public CompletionStage<Vote> restore(Claim claim, long fence) {
		return answer(() -> this.keys.restore(claim, fence, nowMicros()));
	}

	@Override
	public CompletionStage<Vote> release(Claim claim, Duration keep, boolean announce) {
		return answer(() -> {
			Vote vote = this.keys.release(claim, keep, nowMicros());
			return (vote instanceof Granted) ? new Granted(Claim.UNFENCED, 0, listeners(claim)) : vote;
		}, (vote) -> {
			if (announce) {
				List<String> released = (vote instanceof Granted) ? claim.keys() : free(claim.keys());
				this.watches.announce(claim, claim.channels(released));
			}
		});
	}

	@Override
	public Watch watch(String key, ReleaseListener listener) {
		return this.watches.add(key, listener);
	}

	/**
	 * Returns the number of subscriptions to the releases of a key.
	 */
	public int watches(String key) {
		return this.watches.count(List.of(key));
	}

	@Override
	public CompletionStage<Vote> tick(Claim claim, Tick tick, boolean mark) {
		return answer(() -> this.keys.tick(claim, tick, mark, nowMicros()));
	}

	@Override
	public CompletionStage<Vote> inspect(String key) {
		return answer(() -> this.keys.inspect(key, nowMicros()));
	}

	@Override
	public String toString() {
		return "InMemoryNode[" + this.name + ", " + locked(() -> this.mode) + "]";
	}

	private int listeners(Claim claim) {
		return this.watches.count(claim.channels(claim.keys()));
	}

	private List<String> free(List<String> asked) {
		return locked(
				() -> asked.stream().filter((key) -> this.keys.inspect(key, nowMicros()) instanceof Granted).toList());
	}

	private CompletionStage<Vote> answer(Supplier<Vote> operation) {
		return answer(operation, (vote) -> {
		});
	}

	/**
	 * Runs an operation now, later or never, depending on the mode, and then answers.
	 */
	private CompletionStage<Vote> answer(Supplier<Vote> operation, Consumer<Vote> announcement) {
		CompletableFuture<Vote> answer = new CompletableFuture<>();
		Supplier<Runnable> work = () -> {
			Vote vote = operation.get();
			return () -> {
				announcement.accept(vote);
				answer.complete(vote);
			};
		};
		Runnable reply = locked(() -> switch (this.mode) {
			case UP -> work.get();
			case DOWN ->
				() -> answer.complete(new Faulted(Fault.UNAVAILABLE, "this in-memory node was set to be down", false));
			case FROZEN -> {
				this.waiting.add(work);
				yield SILENCE;
			}
			case MUTE -> {
				work.get();
				yield SILENCE;
			}
		});
		reply.run();
		return answer;
	}

	private void become(Mode next) {
		change(() -> this.mode = next);
	}

	private void change(Runnable change) {
		locked(() -> {
			change.run();
			return this;
		});
	}

	private long nowMicros() {
		return this.ticker.epochMicros() + this.clockOffsetMicros;
	}

	private <T> T locked(Supplier<T> work) {
		this.order.lock();
		try {
			return work.get();
		}
		finally {
			this.order.unlock();
		}
	}

	private enum Mode {

		UP, DOWN, FROZEN, MUTE

	}

}
