package dev.redlock.lettuce.internal.connection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.redlock.lettuce.internal.connection.ConnectionHealth.Sent;
import dev.redlock.memory.ManualTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ConnectionHealthTests {

	private static final Duration OVERDUE = Duration.ofSeconds(2);

	private static final Duration BEHIND = Duration.ofMillis(500);

	private static final Duration MOMENT = Duration.ofNanos(1);

	private final ManualTime time = new ManualTime();

	private final List<Runnable> ioThread = new ArrayList<>();

	private final List<String> told = new ArrayList<>();

	private final ConnectionHealth health = new ConnectionHealth(
			new LoopWithTimers(this.time, (delay, task) -> this.time.schedule(delay, () -> onIoThread(task))),
			this.time, OVERDUE, this.told::add);

	private boolean busy;

	@Test
	void aConnectionThatIsSilentForTooLongIsGivenUp() {
		write();
		this.time.advance(OVERDUE.minus(MOMENT));
		assertThat(this.told).isEmpty();
		this.time.advance(MOMENT);
		assertThat(this.told).containsExactly("no answer for 2000 ms");
	}

	@Test
	void aConnectionThatAnswersSomethingIsNotGivenUpHoweverMuchItHasToDo() {
		List<Sent> queue = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			queue.add(write());
		}
		for (Sent question : queue) {
			this.time.advance(Duration.ofMillis(400));
			this.health.answered(question);
		}
		assertThat(this.told).isEmpty();
		assertThat(this.health.isBehind()).isFalse();
		this.time.advance(Duration.ofMinutes(1));
		assertThat(this.told).isEmpty();
	}

	@Test
	void aConnectionIsBehindWhileItsOldestQuestionIsTooOld() {
		Sent first = write();
		this.time.advance(Duration.ofMillis(300));
		Sent second = write();
		this.time.advance(Duration.ofMillis(699));
		assertThat(this.health.isBehind()).isFalse();
		this.time.advance(Duration.ofMillis(1));
		assertThat(this.health.isBehind()).isTrue();
		assertThat(this.health.waitNanos()).isEqualTo(2 * BEHIND.toNanos());
		this.health.answered(first);
		assertThat(this.health.isBehind()).isFalse();
		this.time.advance(BEHIND.multipliedBy(2));
		assertThat(this.health.isBehind()).isTrue();
		this.health.answered(second);
		assertThat(this.health.isBehind()).isFalse();
		assertThat(this.health.waitNanos()).isZero();
	}

	@Test
	void nothingIsSetWhileNothingIsUnderWay() {
		this.health.answered(write());
		assertThat(this.time.pending()).isOne();
		this.time.advance(BEHIND);
		assertThat(this.time.pending()).isZero();
		this.health.answered(write());
		assertThat(this.time.pending()).isOne();
	}

	@Test
	void aPauseOfThisProcessIsNotTakenForSilence() {
		Sent question = write();
		this.time.advance(BEHIND);
		this.busy = true;
		this.time.advance(Duration.ofMinutes(10));
		this.busy = false;
		// The answer came meanwhile, but the thread gets to its tasks before it.
		this.ioThread.forEach(Runnable::run);
		assertThat(this.told).isEmpty();
		this.health.answered(question);
		assertThat(this.health.isBehind()).isFalse();
		this.time.advance(Duration.ofSeconds(10));
		assertThat(this.told).isEmpty();
	}

	@Test
	void aPauseBetweenTwoTasksOfTheLoopIsNotTakenForSilence() {
		Sent question = write();
		this.busy = true;
		this.time.advance(Duration.ofMillis(1500));
		this.busy = false;
		// The next task asks before the answer is read, with or without the timer first.
		assertThat(this.health.isBehind()).isFalse();
		this.ioThread.forEach(Runnable::run);
		assertThat(this.health.isBehind()).isFalse();
		this.health.answered(question);
		this.time.advance(OVERDUE);
		assertThat(this.health.isBehind()).isFalse();
	}

	@Test
	void aConnectionThatNobodyWatchesAnyMoreTellsNothing() {
		write();
		this.health.stop();
		this.time.advance(Duration.ofHours(1));
		assertThat(this.told).isEmpty();
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void aQuestionThatWasLostOnTheWayDoesNotHoldUpTheOthers() {
		write();
		Sent second = write();
		long before = this.time.nanoTime();
		Sent third = write();
		this.health.answered(second);
		assertThat(this.health.waitNanos()).isEqualTo(this.time.nanoTime() - before);
		this.health.answered(third);
		this.time.advance(Duration.ofSeconds(10));
		assertThat(this.told).isEmpty();
	}

	private Sent write() {
		return this.health.sent(null);
	}

	private void onIoThread(Runnable task) {
		if (this.busy) {
			this.ioThread.add(task);
		}
		else {
			task.run();
		}
	}

}
