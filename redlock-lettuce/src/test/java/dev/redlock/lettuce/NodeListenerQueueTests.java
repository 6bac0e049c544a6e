package dev.redlock.lettuce;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.NodeStatus.State;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NodeListenerQueueTests {

	private static final NodeStatus DOWN = NodeStatus.of(State.UNAVAILABLE, "down");

	private static final NodeStatus CHECKING = NodeStatus.of(State.CHECKING, "checking");

	private final List<String> told = new ArrayList<>();

	private final NodeListener recorder = (node, from, to) -> this.told.add(node + " " + to.state());

	@Test
	void aChangeThatTheExecutorRejectsIsToldWithTheNextOneInOrder() {
		AtomicBoolean full = new AtomicBoolean(true);
		Executor executor = (task) -> {
			if (full.get()) {
				throw new RejectedExecutionException("full");
			}
			task.run();
		};
		NodeListenerQueue news = new NodeListenerQueue(this.recorder, executor);
		news.nodeChanged("a", NodeStatus.READY, DOWN);
		assertThat(this.told).isEmpty();
		full.set(false);
		news.nodeChanged("a", DOWN, CHECKING);
		assertThat(this.told).containsExactly("a UNAVAILABLE", "a CHECKING");
	}

	@Test
	void aChangeWhoseTaskTheExecutorDropsIsToldWithTheNextOneInOrder() {
		AtomicBoolean full = new AtomicBoolean(true);
		NodeListenerQueue news = new NodeListenerQueue(this.recorder, (task) -> {
			if (!full.get()) {
				task.run();
			}
		});
		news.nodeChanged("a", NodeStatus.READY, DOWN);
		full.set(false);
		news.nodeChanged("a", DOWN, CHECKING);
		assertThat(this.told).containsExactly("a UNAVAILABLE", "a CHECKING");
	}

	@Test
	void anErrorOfTheListenerLeavesTheChangesBehindIt() {
		NodeListenerQueue news = new NodeListenerQueue((node, from, to) -> {
			this.recorder.nodeChanged(node, from, to);
			throw new AssertionError("of a listener");
		}, Runnable::run);
		news.nodeChanged("a", NodeStatus.READY, DOWN);
		news.nodeChanged("a", DOWN, CHECKING);
		assertThat(this.told).containsExactly("a UNAVAILABLE", "a CHECKING");
	}

}
