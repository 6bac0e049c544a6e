package dev.redlock.lettuce;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

import dev.redlock.memory.ManualTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NodeLifeTests {

	private final ManualTime time = new ManualTime();

	private final AtomicInteger threads = new AtomicInteger();

	private final NodeLife life = new NodeLife("n", new NoServer(),
			new NodeContext(NodeFixture.unguarded(), new ServerRegistry(), this.time, this.time, (node, from, to) -> {
			}), (connected) -> {
			});

	@Test
	void aThreadThatCouldNotBeMadeIsNotTheEndOfConnecting() {
		this.life.start();
		assertThat(this.life.firstVerdict()).isNotDone();
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.life.firstVerdict()).isCompleted();
		assertThat(this.life.state().reason()).contains("no server");
		assertThat(this.threads).hasValueGreaterThan(1);
		this.life.close();
		assertThat(this.time.pending()).isZero();
	}

	/**
	 * Cannot make its first thread, and then reaches no server.
	 */
	private final class NoServer implements NodeConnector {

		@Override
		public Executor executor() {
			return (work) -> {
				if (NodeLifeTests.this.threads.incrementAndGet() == 1) {
					throw new OutOfMemoryError("unable to create native thread");
				}
				work.run();
			};
		}

		@Override
		public NodeConnection connect(NodeClocks clocks) {
			throw new IllegalStateException("no server");
		}

		@Override
		public String remedy(String node, boolean bySentinel) {
			return "";
		}

	}

}
