package dev.redlock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.memory.InMemoryNode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lock that is closed while its nodes are in trouble for a moment.
 */
class ReleaseAtShutdownTests {

	private static final RedlockSettings SETTINGS = LockWorld.settings()
		.toBuilder()
		.shutdownTimeout(Duration.ofSeconds(60))
		.build();

	@RegisterExtension
	final LockWorld world = new LockWorld(5, SETTINGS);

	@Test
	void aReleaseThatEveryNodeFailsIsRepeatedBeforeTheLockIsClosed() {
		this.world.acquire("stock");
		this.world.nodes.forEach(InMemoryNode::down);
		CompletableFuture<Long> held = heldAfterClosing();
		this.world.time.advance(Duration.ofSeconds(3));
		this.world.nodes.forEach(InMemoryNode::up);
		advanceUntilDone(held);
		assertThat(held).as("nodes that still hold the lock when it has been closed").isCompletedWithValue(0L);
	}

	@Test
	void theLogSaysForWhichNodesClosingWaits() {
		Logger logger = (Logger) LoggerFactory.getLogger("dev.redlock.lease");
		ListAppender<ILoggingEvent> logged = new ListAppender<>();
		logged.start();
		logger.addAppender(logged);
		try {
			this.world.acquire("stock");
			this.world.nodes.get(3).down();
			CompletableFuture<Long> held = heldAfterClosing();
			this.world.nodes.get(3).up();
			advanceUntilDone(held);
		}
		finally {
			logger.detachAppender(logged);
		}
		assertThat(logged.list).extracting(ILoggingEvent::getFormattedMessage)
			.containsExactly("The shutdown waits up to 60000 ms for the nodes [d] to confirm that locks are released");
	}

	@Test
	void aSecondCallDoesNotWaitAgain() {
		this.world.acquire("stock");
		this.world.nodes.forEach(InMemoryNode::freeze);
		CompletableFuture<Long> held = heldAfterClosing();
		this.world.redlock.close();
		assertThat(held).isNotDone();
		this.world.nodes.forEach(InMemoryNode::up);
		assertThat(held).succeedsWithin(30, TimeUnit.SECONDS).isEqualTo(0L);
	}

	/** Closes the lock, and says on how many nodes it is held after that. */
	private CompletableFuture<Long> heldAfterClosing() {
		CompletableFuture<Long> held = CompletableFuture.supplyAsync(() -> {
			this.world.redlock.close();
			return this.world.heldOn("stock");
		});
		awaitClosed(this.world.redlock);
		return held;
	}

	private static void awaitClosed(Redlock redlock) {
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
			LockAttempt late = redlock.attempt(LockRequest.of("late")).toCompletableFuture().getNow(null);
			return late != null && late.reason().equals(Optional.of(Reason.SHUTTING_DOWN));
		});
	}

	private void advanceUntilDone(CompletableFuture<?> closed) {
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
			this.world.time.advance(Duration.ofMillis(50));
			return closed.isDone();
		});
	}

}
