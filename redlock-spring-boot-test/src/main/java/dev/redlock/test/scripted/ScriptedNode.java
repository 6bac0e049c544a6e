package dev.redlock.test.scripted;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import dev.redlock.Tick;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import dev.redlock.spi.Vote.Refusal;
import dev.redlock.spi.Vote.Refused;
import dev.redlock.spi.Watch;
import org.jspecify.annotations.Nullable;

/**
 * A simulated Redis server in memory, whose refusals, errors, delays and data losses a
 * test controls. This class is thread-safe.
 */
public final class ScriptedNode implements LockNode {

	private static final String HOLDER = "scripted|somebody else";

	private final InMemoryNode memory;

	private final Scheduler scheduler;

	private volatile Duration delay = Duration.ZERO;

	private volatile @Nullable Fault fault;

	private volatile boolean refusing;

	ScriptedNode(String name, Ticker ticker, Scheduler scheduler) {
		this.memory = new InMemoryNode(name, ticker);
		this.scheduler = scheduler;
	}

	/**
	 * Makes the server run each operation at once, but answer late.
	 * @param delay the delay of each answer; zero for no delay
	 */
	public void delay(Duration delay) {
		if (delay.isNegative()) {
			throw new IllegalArgumentException("A delay must be zero or more, not " + delay);
		}
		this.delay = delay;
	}

	/**
	 * Makes the server refuse every operation, as if another owner held every lock.
	 */
	public void refuse() {
		this.refusing = true;
	}

	/**
	 * Makes every operation on the server fail with the given fault, without losing data.
	 */
	public void fault(Fault fault) {
		this.fault = fault;
	}

	/**
	 * Makes the server unreachable, without losing its data.
	 */
	public void down() {
		fault(Fault.UNAVAILABLE);
	}

	/**
	 * Freezes the server: operations that the server receives run only when {@link #up()}
	 * is called.
	 */
	public void freeze() {
		this.memory.freeze();
	}

	/**
	 * Makes the server run each operation, but never answer.
	 */
	public void mute() {
		this.memory.mute();
	}

	/**
	 * Makes the server lose all data (locks, fences, and records of job runs), as a
	 * restart without persistence does.
	 */
	public void lose() {
		this.memory.forget();
	}

	/**
	 * Sets the clock of the server forward or back, which also changes the remaining time
	 * of each lock on the server.
	 * @param step by how much to change the clock; negative to set the clock back
	 */
	public void stepClock(Duration step) {
		this.memory.stepClock(step);
	}

	/**
	 * Makes the server work normally again, without restoring lost data or a changed
	 * clock.
	 */
	public void up() {
		this.fault = null;
		this.refusing = false;
		this.delay = Duration.ZERO;
		this.memory.up();
	}

	/**
	 * Returns the token of each lock on the server, by the key of the lock.
	 */
	public Map<String, String> tokens() {
		return this.memory.tokens();
	}

	@Override
	public String name() {
		return this.memory.name();
	}

	@Override
	public NodeStatus status() {
		Fault scripted = this.fault;
		return (scripted != null) ? NodeStatus.of(State.UNAVAILABLE, detail(scripted)) : this.memory.status();
	}

	@Override
	public CompletionStage<Vote> acquire(Claim claim, long fence) {
		return answer(Refusal.HELD, () -> this.memory.acquire(claim, fence));
	}

	@Override
	public CompletionStage<Vote> extend(Claim claim, long fence) {
		return answer(Refusal.LOST, () -> this.memory.extend(claim, fence));
	}

	@Override
	public CompletionStage<Vote> restore(Claim claim, long fence) {
		return answer(Refusal.HELD, () -> this.memory.restore(claim, fence));
	}

	@Override
	public CompletionStage<Vote> release(Claim claim, Duration keep, boolean announce) {
		return answer(Refusal.MISSING, () -> this.memory.release(claim, keep, announce));
	}

	@Override
	public Watch watch(String key, ReleaseListener listener) {
		return this.memory.watch(key, listener);
	}

	@Override
	public CompletionStage<Vote> tick(Claim claim, Tick tick, boolean mark) {
		return answer(Refusal.LOST, () -> this.memory.tick(claim, tick, mark));
	}

	@Override
	public CompletionStage<Vote> inspect(String key) {
		return answer(Refusal.HELD, () -> this.memory.inspect(key));
	}

	@Override
	public String toString() {
		Fault scripted = this.fault;
		return "ScriptedNode[" + name() + ((scripted != null) ? ", " + scripted : "")
				+ (this.refusing ? ", refusing" : "") + (this.delay.isZero() ? "" : ", delay " + this.delay) + "]";
	}

	private CompletionStage<Vote> answer(Refusal refusal, Supplier<CompletionStage<Vote>> operation) {
		Fault scripted = this.fault;
		if (scripted != null) {
			return late(CompletableFuture.completedStage(new Faulted(scripted, detail(scripted), false)));
		}
		if (this.refusing) {
			return late(CompletableFuture.completedStage(refused(refusal)));
		}
		return late(operation.get());
	}

	private CompletionStage<Vote> late(CompletionStage<Vote> vote) {
		Duration lateness = this.delay;
		if (lateness.isZero()) {
			return vote;
		}
		CompletableFuture<Vote> answer = new CompletableFuture<>();
		vote.thenAccept((given) -> this.scheduler.schedule(lateness, () -> answer.complete(given)));
		return answer;
	}

	private static Vote refused(Refusal refusal) {
		return (refusal == Refusal.HELD) ? Refused.heldBy(HOLDER, Duration.ofSeconds(1)) : Refused.because(refusal);
	}

	private static String detail(Fault fault) {
		return "was scripted to answer " + fault;
	}

}
