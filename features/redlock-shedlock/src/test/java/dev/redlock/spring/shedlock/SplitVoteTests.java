package dev.redlock.spring.shedlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.RealTime;
import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.memory.InMemoryNode;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.support.LockException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Several ask for the lock on a task at once. If each gets some of the nodes and none a
 * majority, one of them has to ask again, or the task runs nowhere.
 */
class SplitVoteTests {

	@AutoClose
	private final RealTime time = new RealTime();

	private final List<InMemoryNode> nodes = List.of("a", "b", "c", "d", "e")
		.stream()
		.map((name) -> new InMemoryNode(name, this.time))
		.toList();

	private final Redlock ours = redlock("ours", this.nodes);

	@Test
	void afterASplitVoteTheTaskGetsTheLockWhenTheOthersHaveGivenUp() {
		Lease one = hold("one", this.nodes.subList(0, 2));
		Lease another = hold("another", this.nodes.subList(2, 4));
		CompletableFuture.runAsync(() -> {
			one.close();
			another.close();
		}, CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS));
		assertThat(new RedlockLockProvider(this.ours, this.time).lock(task())).isPresent();
	}

	@Test
	void aTaskWhoseSplitVoteLastsFailsAndIsNotSkippedInSilence() {
		hold("one", this.nodes.subList(0, 2));
		hold("another", this.nodes.subList(2, 4));
		RedlockLockProvider provider = new RedlockLockProvider(this.ours, this.time);
		assertThatExceptionOfType(LockException.class).isThrownBy(() -> provider.lock(task()))
			.withMessageContaining("SPLIT_VOTE");
	}

	private static LockConfiguration task() {
		return new LockConfiguration(ClockProvider.now(), "task", Duration.ofMinutes(1), Duration.ZERO);
	}

	private Lease hold(String owner, List<InMemoryNode> some) {
		return redlock(owner, some).attemptAndWait(LockRequest.of("task")).orThrow();
	}

	private Redlock redlock(String owner, List<InMemoryNode> some) {
		// Pauses are random up to the retry delay: long enough for the others to give up.
		RedlockSettings settings = RedlockSettings.builder().owner(owner).build();
		return Redlock.over(some).settings(settings).ticker(this.time).loop(this.time).callbacks(Runnable::run).build();
	}

}
