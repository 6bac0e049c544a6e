package dev.redlock.spring.autoconfigure.internal.listeners;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.redlock.AllHooks;
import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.lettuce.LogLines;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

class ListenerQueueTests {

	private static final LockRequest STOCK = LockRequest.of("stock").withWaitFor(Duration.ZERO);

	private static final int LONGEST = 10;

	@RegisterExtension
	final LogLines lines = new LogLines(ListenerQueue.class.getName());

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

	@Test
	void aListenerIsToldInOrderAndDelaysNothing() {
		Redlock redlock = Redlock.over(this.world.nodes)
			.settings(LockWorld.renewing())
			.ticker(this.world.time)
			.loop(this.world.time)
			.random(new SplittableRandom(4))
			.callbacks(Runnable::run)
			.listener(this.queue.around(new AllHooks() {

				@Override
				protected void told(String hook, String what) {
					ListenerQueueTests.this.told.add(hook);
				}

			}))
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

}
