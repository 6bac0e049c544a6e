package dev.redlock.lettuce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.redlock.memory.ManualTime;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandType;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ConnectionWatchdogTests {

	private static final Duration OVERDUE = Duration.ofSeconds(2);

	private static final Duration BEHIND = Duration.ofMillis(500);

	private static final Duration MOMENT = Duration.ofNanos(1);

	private final ManualTime time = new ManualTime();

	private final List<Runnable> ioThread = new ArrayList<>();

	private final ConnectionWatchdog watchdog = new ConnectionWatchdog(
			new LoopWithTimers(this.time, (delay, task) -> this.time.schedule(delay, () -> onIoThread(task))),
			this.time, OVERDUE);

	private final List<String> told = new ArrayList<>();

	private final List<Long> beats = new ArrayList<>();

	private boolean busy;

	@Test
	void aConnectionThatIsSilentForTooLongIsGivenUp() {
		start();
		write();
		this.time.advance(OVERDUE.minus(MOMENT));
		assertThat(this.told).isEmpty();
		this.time.advance(MOMENT);
		assertThat(this.told).containsExactly("No answer for 2000 ms");
	}

	@Test
	void aConnectionThatAnswersSomethingIsNotGivenUpHoweverMuchItHasToDo() {
		start();
		List<ServerQuery<String>> queue = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			queue.add(write());
		}
		for (ServerQuery<String> question : queue) {
			this.time.advance(Duration.ofMillis(400));
			question.complete();
		}
		assertThat(this.told).isEmpty();
		assertThat(this.watchdog.isBehind()).isFalse();
		this.time.advance(Duration.ofMinutes(1));
		assertThat(this.told).isEmpty();
	}

	@Test
	void aConnectionIsBehindWhileItsOldestQuestionIsTooOld() {
		start();
		ServerQuery<String> first = write();
		this.time.advance(Duration.ofMillis(300));
		ServerQuery<String> second = write();
		this.time.advance(Duration.ofMillis(199));
		assertThat(this.watchdog.isBehind()).isFalse();
		this.time.advance(Duration.ofMillis(1));
		assertThat(this.watchdog.isBehind()).isTrue();
		assertThat(this.watchdog.age()).isEqualTo(BEHIND);
		first.complete();
		assertThat(this.watchdog.isBehind()).isFalse();
		this.time.advance(BEHIND);
		assertThat(this.watchdog.isBehind()).isTrue();
		second.complete();
		assertThat(this.watchdog.isBehind()).isFalse();
		assertThat(this.watchdog.age()).isZero();
	}

	@Test
	void nothingIsSetWhileNothingIsUnderWay() {
		write().complete();
		assertThat(this.time.pending()).isOne();
		this.time.advance(BEHIND);
		assertThat(this.time.pending()).isZero();
		write().complete();
		assertThat(this.time.pending()).isOne();
	}

	@Test
	void aPauseOfThisProcessIsNotTakenForSilence() {
		start();
		ServerQuery<String> question = write();
		this.time.advance(BEHIND);
		this.busy = true;
		this.time.advance(Duration.ofMinutes(10));
		this.busy = false;
		// The answer came meanwhile, but the thread gets to its tasks before it.
		this.ioThread.forEach(Runnable::run);
		assertThat(this.told).isEmpty();
		question.complete();
		assertThat(this.watchdog.isBehind()).isFalse();
		this.time.advance(Duration.ofSeconds(10));
		assertThat(this.told).isEmpty();
	}

	@Test
	void aConnectionThatNobodyUsesIsAskedEveryHalfMinute() {
		start();
		this.time.advance(Duration.ofMinutes(10));
		assertThat(this.beats).hasSizeBetween(20, 22);
	}

	@Test
	void aConnectionThatIsUsedIsNotAsked() {
		start();
		for (int i = 0; i < 60; i++) {
			this.time.advance(Duration.ofSeconds(10));
			write().complete();
		}
		assertThat(this.beats).hasSize(1);
	}

	@Test
	void aConnectionThatNobodyWatchesAnyMoreTellsNothing() {
		start();
		write();
		this.watchdog.stop();
		this.time.advance(Duration.ofHours(1));
		assertThat(this.told).isEmpty();
		assertThat(this.beats).hasSize(1);
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void aQuestionThatWasLostOnTheWayDoesNotHoldUpTheOthers() {
		start();
		write();
		ServerQuery<String> second = write();
		ServerQuery<String> third = write();
		second.complete();
		assertThat(this.watchdog.age()).isEqualTo(Duration.ofNanos(this.time.nanoTime() - third.sentNanos()));
		third.complete();
		this.time.advance(Duration.ofSeconds(10));
		assertThat(this.told).isEmpty();
	}

	private void start() {
		this.watchdog.start(() -> {
			this.beats.add(this.time.nanoTime());
			write().complete();
		}, this.told::add);
	}

	private ServerQuery<String> write() {
		ServerQuery<String> question = new ServerQuery<>(this.watchdog, CommandType.PING,
				new StatusOutput<>(StringCodec.UTF8));
		this.watchdog.sent(question);
		return question;
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
