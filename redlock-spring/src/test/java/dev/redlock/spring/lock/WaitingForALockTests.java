package dev.redlock.spring.lock;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.RealTime;
import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spring.template.RedLockTemplate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Threads that wait for a lock, in real time.
 */
class WaitingForALockTests {

	@AutoClose
	private final RealTime time = new RealTime();

	private final List<InMemoryNode> nodes = List.of(new InMemoryNode("a", this.time), new InMemoryNode("b", this.time),
			new InMemoryNode("c", this.time));

	private final RedlockLock ours = process().get("stock");

	private final RedlockLock theirs = process().get("stock");

	@Test
	void lockWaitsForALeaseOfItsOwnThreadThatAnotherThreadCloses() {
		RedLockTemplate template = new RedLockTemplate(this.time.redlock(this.nodes), Runnable::run);
		RedlockLock lock = new RedlockLocks(template, RedlockSettings.DEFAULTS).get("stock");
		CompletableFuture<Lease> own = new CompletableFuture<>();
		CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> {
			own.complete(template.acquire(LockRequest.of("stock")));
			lock.lock();
			lock.unlock();
		});
		Lease lease = own.join();
		assertThat(waiting).isNotDone();
		lease.close();
		assertThat(waiting).succeedsWithin(10, TimeUnit.SECONDS);
	}

	@Test
	void lockIsNotEndedByAnInterruptAndHandsItOn() throws InterruptedException {
		this.theirs.lock();
		AtomicBoolean stillInterrupted = new AtomicBoolean();
		Thread waiting = new Thread(() -> {
			this.ours.lock();
			stillInterrupted.set(Thread.interrupted());
			this.ours.unlock();
		});
		waiting.start();
		waiting.interrupt();
		waiting.join(200);
		assertThat(waiting.isAlive()).isTrue();
		this.theirs.unlock();
		waiting.join(10_000);
		assertThat(waiting.isAlive()).isFalse();
		assertThat(stillInterrupted).isTrue();
	}

	@Test
	void lockInterruptiblyIsEndedByAnInterruptAndLeavesNothingBehind() throws InterruptedException {
		this.theirs.lock();
		CountDownLatch interrupted = new CountDownLatch(1);
		Thread waiting = new Thread(() -> {
			try {
				this.ours.lockInterruptibly();
			}
			catch (InterruptedException ex) {
				interrupted.countDown();
			}
		});
		waiting.start();
		waiting.interrupt();
		assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
		this.theirs.unlock();
		Awaitility.await().until(() -> this.nodes.stream().allMatch((node) -> node.tokens().isEmpty()));
	}

	private RedlockLocks process() {
		Redlock redlock = this.time.redlock(this.nodes);
		return new RedlockLocks(new RedLockTemplate(redlock, Runnable::run), RedlockSettings.DEFAULTS);
	}

}
