package dev.redlock.spring.shedlock;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockWorld;
import dev.redlock.memory.InMemoryNode;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@ExtendWith(OutputCaptureExtension.class)
class RedlockLockProviderTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private final LockWorld world = new LockWorld();

	private final RedlockLockProvider provider = new RedlockLockProvider(this.world.redlock, this.world.time);

	private final RedlockLockProvider theirs = new RedlockLockProvider(this.world.other, this.world.time);

	@BeforeEach
	void letShedLockReadTheSameClock() {
		ClockProvider.setClock(this.world.clock());
	}

	@AfterEach
	void giveShedLockItsClockBack() {
		ClockProvider.setClock(Clock.systemUTC());
	}

	@Test
	void whatSomebodyElseHasIsAnEmptyResult() {
		SimpleLock lock = lock(HOUR, Duration.ZERO);
		assertThat(this.theirs.lock(job(HOUR, Duration.ZERO))).isEmpty();
		lock.unlock();
		assertThat(this.theirs.lock(job(HOUR, Duration.ZERO))).isPresent();
	}

	@Test
	void aLockOfHoursOutlivesTheLargestTtl() {
		lock(HOUR, Duration.ZERO);
		advance(HOUR.minusSeconds(10));
		assertThat(this.theirs.lock(job(HOUR, Duration.ZERO))).isEmpty();
	}

	@Test
	void aLockEndsWhenItsTimeIsOverAlsoWhileTheTaskRuns(CapturedOutput output) {
		SimpleLock lock = lock(HOUR, Duration.ZERO);
		advance(HOUR);
		assertThat(output).contains("The task 'job' still runs, but its lockAtMostFor of PT1H is over");
		assertThat(this.theirs.lock(job(HOUR, Duration.ZERO))).isPresent();
		lock.unlock();
		assertThat(output).doesNotContain("was lost");
		assertThat(this.world.isHeld("job")).isTrue();
	}

	@Test
	void theNodesAreToldTheTtlOnlySoThatADeadProcessBlocksNobodyForHours() {
		lock(HOUR, Duration.ZERO);
		advance(Duration.ofMinutes(5));
		Optional<Duration> remaining = this.world.other.inspect("job").toCompletableFuture().join().remaining();
		assertThat(remaining).get(InstanceOfAssertFactories.DURATION).isBetween(Duration.ZERO, Duration.ofSeconds(30));
	}

	@Test
	void aLockIsKeptForItsLeastTimeAndNoLonger() {
		lock(HOUR, Duration.ofSeconds(20)).unlock();
		advance(Duration.ofSeconds(19));
		assertThat(this.theirs.lock(job(HOUR, Duration.ZERO))).isEmpty();
		advance(Duration.ofSeconds(1));
		assertThat(this.theirs.lock(job(HOUR, Duration.ZERO))).isPresent();
	}

	/**
	 * The example of ShedLock's own page: every 15 minutes, at most and at least for 14.
	 */
	@Test
	void aLeastTimeOverTheLargestTtlIsKeptToo() {
		Duration time = Duration.ofMinutes(14);
		lock(time, time).unlock();
		assertThat(this.world.isHeld("job")).as("the lock itself is free").isFalse();
		advance(time.minusSeconds(1));
		assertThat(this.theirs.lock(job(time, time))).isEmpty();
		assertThat(this.provider.lock(job(time, time))).isEmpty();
		advance(Duration.ofSeconds(61));
		assertThat(this.theirs.lock(job(time, time))).isPresent();
		assertThat(this.provider.lock(job(time, time))).isEmpty();
	}

	@Test
	void aLeastTimeOverTheLargestTtlOutlivesTheProcess() {
		Duration time = Duration.ofMinutes(14);
		lock(time, time);
		this.world.redlock.close();
		advance(time.minusSeconds(1));
		assertThat(this.theirs.lock(job(time, time))).isEmpty();
		advance(Duration.ofSeconds(2));
		assertThat(this.theirs.lock(job(time, time))).isPresent();
	}

	@Test
	void withoutAQuorumTheTaskDoesNotRunAndThatIsSaid() {
		this.world.loseQuorum();
		assertThatExceptionOfType(LockException.class).isThrownBy(() -> lock(HOUR, Duration.ZERO))
			.withMessageContaining("The task 'job' does not run")
			.withMessageContaining("NO_QUORUM")
			.withCauseInstanceOf(LockNotAcquiredException.class);
	}

	@Test
	void anInterruptedThreadIsToldAndStaysInterrupted() {
		this.world.nodes.forEach(InMemoryNode::freeze);
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LockException.class).isThrownBy(() -> lock(HOUR, Duration.ZERO))
			.withMessageContaining("interrupted");
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void anExtendedLockLastsFromNowOn() {
		SimpleLock lock = lock(HOUR, Duration.ZERO);
		advance(Duration.ofMinutes(50));
		Optional<SimpleLock> extended = lock.extend(HOUR, Duration.ZERO);
		advance(Duration.ofMinutes(59));
		assertThat(this.theirs.lock(job(HOUR, Duration.ZERO))).isEmpty();
		extended.orElseThrow().unlock();
		assertThat(this.world.isHeld("job")).isFalse();
		assertThatIllegalStateException().isThrownBy(lock::unlock);
	}

	@Test
	void anExtendedLeastTimeOutlivesTheProcess() {
		Duration time = Duration.ofMinutes(14);
		lock(HOUR, Duration.ZERO).extend(HOUR, time).orElseThrow().unlock();
		this.world.redlock.close();
		advance(time.minusSeconds(1));
		assertThat(this.theirs.lock(job(HOUR, Duration.ZERO))).isEmpty();
		assertThat(this.theirs.lock(job(time, time))).isEmpty();
		advance(Duration.ofSeconds(2));
		this.theirs.lock(job(HOUR, Duration.ZERO)).orElseThrow().unlock();
		assertThat(this.theirs.lock(job(HOUR, Duration.ZERO))).isPresent();
	}

	@Test
	void anExtendedLeastTimeThatTheServersDoNotRecordIsKeptByThisProcess() {
		SimpleLock extended = lock(HOUR, Duration.ZERO).extend(HOUR, Duration.ofMinutes(14)).orElseThrow();
		this.world.loseQuorum();
		extended.unlock();
		this.world.nodes.forEach(InMemoryNode::up);
		advance(Duration.ofMinutes(13));
		assertThat(this.theirs.lock(job(HOUR, Duration.ZERO))).isEmpty();
		advance(Duration.ofMinutes(2));
		assertThat(this.theirs.lock(job(HOUR, Duration.ZERO))).isPresent();
	}

	@Test
	void whatIsLostCannotBeExtendedAndUnlockSaysThatItWasLost(CapturedOutput output) {
		SimpleLock first = lock(HOUR, Duration.ZERO);
		this.world.loseQuorum();
		advance(LockWorld.TOO_LONG);
		assertThat(first.extend(HOUR, Duration.ZERO)).isEmpty();
		this.world.nodes.forEach(InMemoryNode::up);
		SimpleLock second = lock(HOUR, Duration.ZERO);
		this.world.loseQuorum();
		advance(LockWorld.TOO_LONG);
		second.unlock();
		assertThat(output).contains("The lock on the task 'job' was lost before the task was done (EXPIRED)");
	}

	@Test
	void aSlowRoundDoesNotFailAnExtension() {
		SimpleLock lock = lock(HOUR, Duration.ZERO);
		this.world.loseQuorum();
		Optional<SimpleLock> extended = lock.extend(HOUR, Duration.ZERO);
		this.world.nodes.forEach(InMemoryNode::up);
		advance(HOUR.minusMinutes(1));
		assertThat(this.theirs.lock(job(HOUR, Duration.ZERO))).isEmpty();
		extended.orElseThrow().unlock();
	}

	private SimpleLock lock(Duration atMost, Duration atLeast) {
		return this.provider.lock(job(atMost, atLeast)).orElseThrow();
	}

	private static LockConfiguration job(Duration atMost, Duration atLeast) {
		return new LockConfiguration(ClockProvider.now(), "job", atMost, atLeast);
	}

	private void advance(Duration time) {
		this.world.time.advance(time);
	}

}
