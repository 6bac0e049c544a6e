package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.internal.client.Engine;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Claim;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.redlock.Completed.completed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Jobs that run once per tick.
 */
class TickTests {

	private static final Duration INTERVAL = Duration.ofHours(1);

	@RegisterExtension
	final LockWorld world = new LockWorld(5);

	private final Redlock one = process(1);

	private final Redlock other = process(2);

	@Test
	void aTickIsGrantedOnce() {
		granted(this.one, tick(0)).close();
		assertThat(refused(this.other, tick(0))).isEqualTo(Reason.TICK_TAKEN);
		assertThat(refused(this.one, tick(0))).isEqualTo(Reason.TICK_TAKEN);
		granted(this.other, tick(1)).close();
	}

	@Test
	void aTakenTickIsRefusedWhileItRunsWithoutWaitingForItsEnd() {
		granted(this.one, tick(0));
		CompletableFuture<LockAttempt> second = ask(this.other, tick(0), Duration.ofSeconds(5));
		assertThat(second).isCompleted();
		assertThat(completed(second).reason()).contains(Reason.TICK_TAKEN);
		assertThat(refused(this.other, tick(1))).as("overlaps").isEqualTo(Reason.HELD);
	}

	@Test
	void aTakenTickDoesNotTouchTheLock() {
		granted(this.one, tick(0)).close();
		int before = acquires();
		refused(this.other, tick(0));
		assertThat(acquires()).isEqualTo(before);
	}

	@Test
	void aHolderThatDiesBeforeItMarksLosesNoTick() {
		Lease plain = completed(this.one.attempt(LockRequest.of("job"))).orThrow();
		CompletableFuture<LockAttempt> second = ask(this.other, tick(0), Duration.ofSeconds(30));
		assertThat(second).isNotDone();
		assertThat(plain.isValid()).isTrue();
		this.world.time.advance(Duration.ofSeconds(20));
		assertThat(completed(second).lease()).isPresent();
	}

	@Test
	void aRequestWhoseLockIsGoneBeforeItMarksItsTickEnds() {
		cutOffAtMark(2);
		for (int i = 2; i < 4; i++) {
			InMemoryNode node = this.world.nodes.get(i);
			this.world.counted.get(i).beforeTick = node::forget;
		}
		CompletableFuture<LockAttempt> asked = ask(ofFourNodes(), tick(0), Duration.ZERO);
		this.world.time.advance(Duration.ofSeconds(5));
		assertThat(asked).isCompleted();
		assertThat(completed(asked).reason()).contains(Reason.TICK_LOST);
	}

	@Test
	void aTickThatTooFewNodesCouldMarkIsToldAndRunsNowhere() {
		cutOffAtMark(3);
		assertThat(refused(this.one, tick(0))).isEqualTo(Reason.TICK_LOST);
		up();
		assertThat(refused(this.other, tick(0))).as("nodes that were cut off had marked it")
			.isEqualTo(Reason.TICK_TAKEN);
		granted(this.other, tick(1));
	}

	@Test
	void aRequestThatIsCancelledWhileItLooksAtItsTickDoesNotAskForTheLock() {
		this.world.nodes.forEach(InMemoryNode::freeze);
		ask(this.one, tick(0), Duration.ZERO).cancel(false);
		up();
		assertThat(acquires()).isZero();
	}

	@Test
	void aRequestThatIsCancelledWhileItsFenceIsSettledDoesNotAskForItsTick() {
		Claim burnt = new Claim(List.of("redlock:job"), "x", Duration.ofSeconds(9));
		InMemoryNode ahead = this.world.nodes.get(0);
		ahead.acquire(burnt, this.world.time.epochMicros() + 10_000_000);
		ahead.release(burnt, Duration.ZERO);
		List<String> marks = new ArrayList<>();
		List<CompletableFuture<LockAttempt>> asked = new ArrayList<>();
		// By then enough nodes have the fence.
		this.world.counted.get(3).beforeExtend = () -> {
			this.world.counted.forEach((node) -> node.beforeTick = () -> marks.add(node.name()));
			asked.get(0).cancel(false);
		};
		// On the loop, which handles the request only after this.
		this.world.time.execute(() -> asked.add(ask(this.one, tick(0), Duration.ZERO)));
		this.world.time.advance(Duration.ofSeconds(1));
		assertThat(asked.get(0)).isCancelled();
		assertThat(marks).isEmpty();
	}

	@Test
	void withoutAQuorumNoTickIsLost() {
		this.world.nodes.subList(0, 3).forEach(InMemoryNode::down);
		assertThat(refused(this.one, tick(0))).isEqualTo(Reason.NO_QUORUM);
		up();
		granted(this.other, tick(0));
	}

	@Test
	void withRerunATickIsTakenWhenItsWorkHasEnded() {
		Lease lease = granted(this.one, rerun(0));
		assertThat(refused(this.other, rerun(0))).isEqualTo(Reason.HELD);
		lease.close();
		assertThat(refused(this.other, rerun(0))).isEqualTo(Reason.TICK_TAKEN);
	}

	@Test
	void withRerunAnotherInstanceTakesOverFromOneThatDied() {
		Lease lease = granted(this.one, rerun(0));
		CompletableFuture<LockAttempt> second = ask(this.other, rerun(0), Duration.ofMinutes(1));
		this.world.time.advance(Duration.ofSeconds(12));
		assertThat(completed(second).lease()).isPresent();
		lease.close();
		assertThat(refused(this.one, rerun(0))).as("a lost lease marks nothing").isEqualTo(Reason.HELD);
		completed(second).orThrow().close();
		assertThat(refused(this.one, rerun(0))).isEqualTo(Reason.TICK_TAKEN);
	}

	@Test
	void withRerunAWatcherEndsWhenTheWorkIsDone() {
		Lease lease = granted(this.one, rerun(0));
		CompletableFuture<LockAttempt> second = ask(this.other, rerun(0), Duration.ofMinutes(1));
		lease.close();
		this.world.time.advance(Duration.ofSeconds(1));
		assertThat(completed(second).reason()).contains(Reason.TICK_TAKEN);
	}

	@Test
	void withRerunALeaseThatIsGivenUpUnusedLeavesItsTickToAnother() {
		Engine.releaseUnused(granted(this.one, rerun(0)));
		granted(this.other, rerun(0));
	}

	@Test
	void withRerunACallerThatCancelsAtTheLastMomentLeavesItsTickToAnother() {
		List<Runnable> later = new ArrayList<>();
		Redlock slow = this.world
			.process(this.world.over(this.world.counted, LockWorld.settings(), 4).callbacks(later::add));
		CompletableFuture<LockAttempt> asked = ask(slow, rerun(0), Duration.ZERO);
		asked.cancel(false);
		List.copyOf(later).forEach(Runnable::run);
		granted(this.other, rerun(0));
	}

	@ParameterizedTest
	@CsvSource({ "false, TICK_LOST, TICK_TAKEN", "true, SHUTTING_DOWN, " })
	void aTickThatIsBeingMarkedWhenItsProcessIsShutDownIsToldAsLostUnlessItIsRunAgain(boolean rerun, Reason told,
			Reason then) {
		cutOffAtMark(3);
		CompletableFuture<LockAttempt> asked = ask(this.one, tick(0, rerun), Duration.ZERO);
		this.one.closeAsync();
		assertThat(completed(asked).reason()).contains(told);
		up();
		assertThat(refused(this.other, tick(0, rerun))).isEqualTo(then);
	}

	@Test
	void aShutDownProcessLeavesItsTickToAnother() {
		granted(this.one, rerun(0));
		this.one.close();
		granted(this.other, rerun(0));
	}

	@Test
	void aJobWithoutAScheduleBeginsAgainWhenItsShortestTimeHasPassed() {
		Tick tick = Tick.atLeast(Duration.ofMinutes(14), Duration.ofSeconds(1));
		granted(this.one, tick).close();
		assertThat(refused(this.other, tick)).isEqualTo(Reason.TICK_TAKEN);
		this.world.time.advance(Duration.ofMinutes(13));
		assertThat(refused(this.other, tick)).isEqualTo(Reason.TICK_TAKEN);
		assertThat(refused(this.one, tick)).isEqualTo(Reason.TICK_TAKEN);
		this.world.time.advance(Duration.ofMinutes(1));
		granted(this.other, tick).close();
		assertThat(refused(this.one, tick)).isEqualTo(Reason.TICK_TAKEN);
	}

	@Test
	void aTickFarFromTheClockOfTheNodesCostsASingleTryOneClaimPerNode() {
		refused(this.one, tick(-24 * 30));
		assertThat(acquires()).isEqualTo(5);
	}

	@Test
	void aTickThatIsNotDueIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> ask(this.one, tick(3), Duration.ZERO))
			.withMessageContaining("not due yet");
	}

	@Test
	void aTickIsForOneResource() {
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("a", "b").withTick(tick(0)))
			.withMessageContaining("one name");
	}

	private Redlock process(long seed) {
		return this.world.process(this.world.over(this.world.counted, LockWorld.settings(), seed));
	}

	private Redlock ofFourNodes() {
		return this.world.process(this.world.over(this.world.counted.subList(0, 4), LockWorld.settings(), 3));
	}

	private Tick tick(int number) {
		return tick(number, false);
	}

	private Tick rerun(int number) {
		return tick(number, true);
	}

	private Tick tick(int number, boolean rerun) {
		long hours = TimeUnit.MICROSECONDS.toHours(this.world.time.epochMicros());
		return new Tick(TimeUnit.HOURS.toMicros(hours - 1 + number), INTERVAL, Duration.ofSeconds(1), rerun);
	}

	private CompletableFuture<LockAttempt> ask(Redlock process, Tick tick, Duration waitFor) {
		return process.attempt(LockRequest.of("job").withTick(tick).withWaitFor(waitFor)).toCompletableFuture();
	}

	private Lease granted(Redlock process, Tick tick) {
		return answer(process, tick).orThrow();
	}

	private Reason refused(Redlock process, Tick tick) {
		return answer(process, tick).reason().orElse(null);
	}

	private LockAttempt answer(Redlock process, Tick tick) {
		CompletableFuture<LockAttempt> asked = ask(process, tick, Duration.ZERO);
		for (int i = 0; i < 50 && !asked.isDone(); i++) {
			this.world.time.advance(Duration.ofMillis(100));
		}
		return completed(asked);
	}

	private int acquires() {
		return this.world.counted.stream().mapToInt((node) -> node.acquires.get()).sum();
	}

	/**
	 * Some nodes do what they are told but no longer answer, from the second time on that
	 * they are asked for a tick. The first time is the look.
	 */
	private void cutOffAtMark(int count) {
		for (int i = 0; i < count; i++) {
			InMemoryNode node = this.world.nodes.get(i);
			List<Integer> asked = new ArrayList<>();
			this.world.counted.get(i).beforeTick = () -> {
				asked.add(1);
				if (asked.size() == 2) {
					node.mute();
				}
			};
		}
	}

	private void up() {
		this.world.nodes.forEach(InMemoryNode::up);
	}

}
