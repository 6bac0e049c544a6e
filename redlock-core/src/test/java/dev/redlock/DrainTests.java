package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.internal.client.Engine;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.EventLoop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import static dev.redlock.Completed.completed;
import static dev.redlock.Completed.ended;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lock that is closed while work runs under it.
 */
class DrainTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	private static final RedlockSettings SETTINGS = LockWorld.settings()
		.toBuilder()
		.shutdownTimeout(TIMEOUT)
		.releaseRunning(false)
		.build();

	@RegisterExtension
	final LockWorld world = new LockWorld(5, SETTINGS);

	private final Redlock redlock = this.world.redlock;

	private final Logger logger = (Logger) LoggerFactory.getLogger("dev.redlock.lease");

	private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

	@BeforeEach
	void listen() {
		this.logged.start();
		this.logger.addAppender(this.logged);
	}

	@AfterEach
	void stopListening() {
		this.logger.detachAppender(this.logged);
	}

	@Test
	void noKeyIsDeletedUnderWorkThatRunsAndTheLockIsFreeWhenItEnds() {
		Lease lease = this.world.acquire("stock");
		CompletableFuture<Void> closed = close(this.redlock);
		this.world.time.advance(Duration.ofSeconds(5));
		assertThat(lease.isValid()).isTrue();
		assertThat(this.world.heldOn("stock")).isEqualTo(5);
		assertThat(closed).isNotDone();
		lease.close();
		assertThat(closed).isCompleted();
		assertThat(this.world.heldOn("stock")).isZero();
		assertThat(this.world.losses).isEmpty();
	}

	@Test
	void aLeaseThatIsDetachedMeanwhileEndsTheWaitAndStaysForItsTicket() {
		Lease lease = this.world.acquire("stock");
		CompletableFuture<Void> closed = close(this.redlock);
		assertThat(closed).isNotDone();
		String ticket = lease.detach();
		assertThat(closed).isCompleted();
		assertThat(this.world.heldOn("stock")).isEqualTo(5);
		this.world.acquire(this.world.other, LockRequest.succeeding(ticket)).close();
	}

	@Test
	void newAndWaitingRequestsFailAtOnce() {
		Lease lease = this.world.acquire("stock");
		CompletableFuture<LockAttempt> waiting = this.world.attempt(LockRequest.of("stock"));
		close(this.redlock);
		assertThat(completed(waiting).reason()).contains(Reason.SHUTTING_DOWN);
		assertThat(completed(this.world.attempt(LockRequest.of("other"))).reason()).contains(Reason.SHUTTING_DOWN);
		lease.close();
	}

	@Test
	void aLeaseIsRenewedAndExtendedMeanwhile() {
		Lease renewed = this.world.acquire(LockRequest.of("renewed").withRenew(true));
		Lease extended = this.world.acquire("extended");
		CompletableFuture<Void> closed = close(this.redlock);
		this.world.time.advance(Duration.ofSeconds(9));
		assertThat(this.world.extend(extended, Duration.ofSeconds(10))).isTrue();
		this.world.time.advance(Duration.ofSeconds(9));
		assertThat(renewed.isValid()).isTrue();
		assertThat(extended.isValid()).isTrue();
		assertThat(closed).isNotDone();
		renewed.close();
		extended.close();
		assertThat(closed).isCompleted();
	}

	@Test
	void atTheDeadlineWorkIsToldAndItsKeysStayUntilTheyExpire() {
		Lease lease = this.world.acquire(LockRequest.of("stock").withRenew(true).withOrigin("Shop.sell"));
		CompletableFuture<Void> closed = close(this.redlock);
		this.world.time.advance(TIMEOUT.minusMillis(1));
		assertThat(lease.isValid()).isTrue();
		this.world.time.advance(Duration.ofMillis(1));
		assertThat(lease.isValid()).isFalse();
		assertThat(completed(lease.lost())).isEqualTo(LossReason.SHUT_DOWN);
		assertThat(closed).isCompleted();
		assertThat(this.world.heldOn("stock")).as("nobody else gets the lock while the work may run").isEqualTo(5);
		this.world.time.advance(Duration.ofSeconds(10));
		assertThat(this.world.heldOn("stock")).as("renewal has stopped").isZero();
		ILoggingEvent warning = this.logged.list.get(this.logged.list.size() - 1);
		assertThat(warning.getLevel()).isEqualTo(Level.WARN);
		assertThat(warning.getFormattedMessage()).matches(
				"The shutdown did not wait for the end of work that has run for 20000 ms under the lock on \\[stock] "
						+ "\\(Shop.sell\\). Its keys stay until 20\\S+Z, and no other process gets the lock before");
		assertThat(warning.getKeyValuePairs()).extracting((pair) -> pair.key)
			.containsExactly("redlock.resources", "redlock.origin", "redlock.held-ms", "redlock.keys-until");
	}

	@Test
	void theLogSaysWhatTheShutdownWaitsForAndForHowLong() {
		Lease lease = this.world.acquire(LockRequest.of("stock").withOrigin("Shop.sell"));
		close(this.redlock);
		lease.close();
		assertThat(this.logged.list).extracting(ILoggingEvent::getFormattedMessage)
			.containsExactly(
					"The shutdown waits up to 20000 ms for work that still runs under locks: [stock] (Shop.sell)");
	}

	@Test
	void releaseRunningDeletesTheKeysAtTheDeadlineExceptForAtLeast() {
		Redlock deleting = this.world.another(SETTINGS.toBuilder().releaseRunning(true).build(), 7);
		this.world.acquire(deleting, LockRequest.of("a"));
		this.world.acquire(deleting,
				LockRequest.of("b").withTtl(Duration.ofSeconds(30)).withAtLeast(Duration.ofSeconds(25)));
		CompletableFuture<Void> closed = close(deleting);
		this.world.time.advance(TIMEOUT);
		assertThat(closed).isCompleted();
		assertThat(this.world.heldOn("a")).isZero();
		assertThat(this.world.heldOn("b")).isEqualTo(5);
		this.world.time.advance(Duration.ofSeconds(5));
		assertThat(this.world.heldOn("b")).isZero();
	}

	@Test
	void aLockThatIsReleasedMeanwhileIsKeptForItsAtLeast() {
		Lease lease = this.world.acquire(LockRequest.of("stock").withAtLeast(Duration.ofSeconds(9)));
		CompletableFuture<Void> closed = close(this.redlock);
		lease.close();
		assertThat(closed).isCompleted();
		assertThat(this.world.heldOn("stock")).isEqualTo(5);
		this.world.time.advance(Duration.ofSeconds(9));
		assertThat(this.world.heldOn("stock")).isZero();
	}

	@Test
	void aLeaseThatWasLostBeforeIsNotWaitedForAndItsKeysStay() {
		RedlockSettings stepping = SETTINGS.toBuilder().clockStep(Duration.ofSeconds(5)).build();
		Redlock redlock = this.world.another(stepping, 7);
		Lease lost = this.world.acquire(redlock, LockRequest.of("stock"));
		this.world.time.advance(Duration.ofSeconds(6));
		assertThat(lost.isValid()).isFalse();
		assertThat(close(redlock)).isCompleted();
		assertThat(this.world.heldOn("stock")).isEqualTo(5);
	}

	@Test
	void workOfTheThreadThatClosesIsNotWaitedForAndItsKeysStay() {
		Lease own = this.redlock.attemptInScope(LockRequest.of("own")).orThrow();
		this.redlock.close();
		assertThat(own.isValid()).isFalse();
		assertThat(this.world.heldOn("own")).isEqualTo(5);
		own.close();
		assertThat(this.world.heldOn("own")).isZero();
	}

	@Test
	void workThatOutlivesTheCallOfTheThreadThatClosesIsWaitedFor() {
		Lease own = this.redlock.attemptInScope(LockRequest.of("own")).orThrow();
		Engine.outliveCall(own);
		CompletableFuture<Void> closed = close(this.redlock);
		assertThat(closed).isNotDone();
		own.close();
		assertThat(closed).isCompleted();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void connectionsCloseAfterTheLastRelease(boolean interrupted) throws InterruptedException {
		List<String> events = new ArrayList<>();
		List<DelayedNode> distant = this.world.connect();
		Redlock redlock = this.world
			.process(this.world.over(distant, SETTINGS, 7).connections(() -> events.add("connected"), () -> {
				events.add("disconnected with "
						+ this.world.nodes.stream().filter((node) -> !node.tokens().isEmpty()).count() + " keys");
			}));
		CompletableFuture<LockAttempt> attempt = this.world.attempt(redlock, LockRequest.of("stock"));
		this.world.time.advance(Duration.ofMillis(50));
		Lease lease = completed(attempt).orThrow();
		AtomicReference<Boolean> flag = new AtomicReference<>();
		Thread closing = new Thread(() -> {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
			redlock.close();
			flag.set(Thread.currentThread().isInterrupted());
		});
		closing.start();
		awaitClosed(redlock);
		lease.close();
		assertThat(events).containsExactly("connected");
		this.world.time.advance(Duration.ofMillis(50));
		ended(closing);
		assertThat(events).containsExactly("connected", "disconnected with 0 keys");
		assertThat(flag).hasValue(interrupted);
	}

	@Test
	void aNodeThatDoesNotAnswerIsWaitedForOneNodeTimeout() {
		Lease lease = this.world.acquire("stock");
		this.world.nodes.get(0).freeze();
		CompletableFuture<Void> closed = close(this.redlock);
		lease.close();
		this.world.time.advance(Duration.ofMillis(499));
		assertThat(closed).isNotDone();
		this.world.time.advance(Duration.ofMillis(1));
		assertThat(closed).isCompleted();
		assertThat(this.world.nodes.stream().filter((node) -> !node.tokens().isEmpty())).hasSize(1);
	}

	@Test
	void aReleaseThatFailedIsRepeatedWhileTheShutdownWaits() {
		Lease lease = this.world.acquire("stock");
		this.world.nodes.forEach(InMemoryNode::down);
		CompletableFuture<Void> closed = close(this.redlock);
		lease.close();
		this.world.time.advance(Duration.ofMillis(300));
		this.world.nodes.forEach(InMemoryNode::up);
		this.world.time.advance(Duration.ofMillis(200));
		assertThat(closed).isCompleted();
		assertThat(this.world.heldOn("stock")).isZero();
	}

	@Test
	void aThreadThatStandsInsideOfAReleaseIsWaitedFor() throws InterruptedException {
		StandingLoop loop = new StandingLoop(this.world.time);
		Redlock redlock = this.world.process(this.world.over(this.world.counted, LockWorld.settings(), 7).loop(loop));
		Lease lease = this.world.acquire(redlock, LockRequest.of("stock"));
		Thread releasing = new Thread(lease::close);
		loop.stands = releasing;
		releasing.start();
		loop.standing.await();
		CompletableFuture<Void> closed = close(redlock);
		assertThat(closed).isNotDone();
		loop.goOn.countDown();
		ended(releasing);
		assertThat(closed).isCompleted();
		assertThat(this.world.heldOn("stock")).isZero();
	}

	@Test
	void aSecondCallWaitsForTheEndOfTheFirst() {
		Lease lease = this.world.acquire("stock");
		CompletableFuture<Void> first = close(this.redlock);
		CompletableFuture<Void> second = close(this.redlock);
		assertThat(second).isNotDone();
		lease.close();
		assertThat(first).isCompleted();
		assertThat(second).isCompleted();
	}

	@Test
	void aLockThatIsOpenedAgainWaitsForTheEndOfItsShutdown() throws InterruptedException {
		Lease lease = this.world.acquire("stock");
		close(this.redlock);
		Thread opening = new Thread(this.redlock::open);
		opening.start();
		lease.close();
		ended(opening);
		assertThat(this.redlock.isClosed()).isFalse();
		this.world.acquire("stock").close();
	}

	private CompletableFuture<Void> close(Redlock redlock) {
		return this.world.handedOut(redlock.closeAsync());
	}

	private static void awaitClosed(Redlock redlock) {
		while (!redlock.isClosed()) {
			Thread.onSpinWait();
		}
	}

	/**
	 * A loop before which one thread stands until it may go on.
	 */
	private static final class StandingLoop implements EventLoop {

		private final EventLoop loop;

		private final CountDownLatch standing = new CountDownLatch(1);

		private final CountDownLatch goOn = new CountDownLatch(1);

		private volatile Thread stands;

		StandingLoop(EventLoop loop) {
			this.loop = loop;
		}

		@Override
		public boolean inLoop() {
			return this.loop.inLoop();
		}

		@Override
		public void execute(Runnable event) {
			if (Thread.currentThread() == this.stands) {
				this.standing.countDown();
				try {
					this.goOn.await();
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
			}
			this.loop.execute(event);
		}

		@Override
		public Timeout schedule(Duration delay, Runnable task) {
			return this.loop.schedule(delay, task);
		}

	}

}
