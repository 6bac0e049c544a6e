package dev.redlock.spring.autoconfigure;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.RedlockListener;
import dev.redlock.RequestListener;
import dev.redlock.RequestListener.HoldEnd;
import dev.redlock.RequestListener.RenewalOutcome;
import dev.redlock.spi.Vote;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

class ListenerQueueTests {

	private static final LockRequest STOCK = LockRequest.of("stock").withWaitFor(Duration.ZERO);

	private static final int LONGEST = 10;

	private final Logger logger = (Logger) LoggerFactory.getLogger(ListenerQueue.class);

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	private final Deque<Runnable> waiting = new ArrayDeque<>();

	private final Executor thread = (notification) -> {
		if (this.waiting.size() == LONGEST) {
			throw new RejectedExecutionException("full");
		}
		this.waiting.add(notification);
	};

	private final ListenerQueue queue = new ListenerQueue(this.thread);

	private final List<String> told = new ArrayList<>();

	private final LockWorld world = new LockWorld();

	@BeforeEach
	void listen() {
		this.lines.start();
		this.logger.addAppender(this.lines);
	}

	@AfterEach
	void stopListening() {
		this.logger.detachAppender(this.lines);
	}

	@Test
	void aListenerIsToldInOrderAndDelaysNothing() {
		Redlock redlock = Redlock.over(this.world.nodes)
			.settings(LockWorld.renewing())
			.ticker(this.world.time)
			.loop(this.world.time)
			.random(new SplittableRandom(4))
			.callbacks(Runnable::run)
			.listener(this.queue.around(new Recorder(false)))
			.build();
		Lease lease = redlock.attemptAndWait(STOCK).orThrow();
		this.world.time.advance(Duration.ofSeconds(12));
		lease.close();
		assertThat(this.told).containsExactly("requested");
		catchUp();
		assertThat(this.told).containsExactly("requested", "voted", "voted", "voted", "ended", "renewed", "holdEnded");
	}

	@Test
	void whatDoesNotFitIsDroppedCountedAndLoggedEachTimeTheCountHasDoubled() {
		for (int i = 0; i < LONGEST + 7; i++) {
			this.queue.execute(() -> this.told.add("told"));
		}
		assertThat(this.queue.dropped()).isEqualTo(7);
		assertThat(this.lines.list).extracting(ILoggingEvent::getFormattedMessage)
			.hasSize(3)
			.allSatisfy((line) -> assertThat(line).contains("too slow", "dropped"))
			.last(InstanceOfAssertFactories.STRING)
			.contains("(4 so far)");
		catchUp();
		assertThat(this.told).hasSize(LONGEST);
	}

	@Test
	void anErrorOfOneNotificationLeavesTheOthers() {
		this.queue.execute(() -> {
			throw new StackOverflowError("of a listener");
		});
		this.queue.execute(() -> this.told.add("told"));
		catchUp();
		assertThat(this.told).containsExactly("told");
	}

	private void catchUp() {
		while (!this.waiting.isEmpty()) {
			this.waiting.remove().run();
		}
	}

	private final class Recorder implements RedlockListener, RequestListener {

		private final boolean quick;

		Recorder(boolean quick) {
			this.quick = quick;
		}

		@Override
		public boolean isQuick() {
			return this.quick;
		}

		@Override
		public RequestListener requested(LockRequest request) {
			ListenerQueueTests.this.told.add("requested");
			return this;
		}

		@Override
		public void voted(String node, Vote vote, Duration took) {
			ListenerQueueTests.this.told.add("voted");
		}

		@Override
		public void ended(LockAttempt attempt) {
			ListenerQueueTests.this.told.add("ended");
		}

		@Override
		public void renewed(Lease lease, RenewalOutcome outcome) {
			ListenerQueueTests.this.told.add("renewed");
		}

		@Override
		public void holdEnded(Lease lease, HoldEnd end) {
			ListenerQueueTests.this.told.add("holdEnded");
		}

	}

}
