package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.redlock.memory.ManualTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ConnectionKeeperTests {

	private final ManualTime time = new ManualTime();

	private final List<String> told = new ArrayList<>();

	@Test
	void aThreadThatCouldNotBeMadeIsNotTheEndOfConnecting() {
		AtomicInteger threads = new AtomicInteger();
		ConnectionKeeper keeper = new ConnectionKeeper("n", () -> {
			throw new IllegalStateException("no server");
		}, this.time, (work) -> {
			if (threads.incrementAndGet() == 1) {
				throw new OutOfMemoryError("unable to create native thread");
			}
			work.run();
		}, new Listener());
		keeper.start();
		assertThat(this.told).isEmpty();
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.told).isNotEmpty().allSatisfy((why) -> assertThat(why).contains("no server"));
		keeper.close();
	}

	private final class Listener implements ConnectionKeeper.Listener {

		@Override
		public void opened(Links links) {
			ConnectionKeeperTests.this.told.add("opened");
		}

		@Override
		public void lost(String why) {
			ConnectionKeeperTests.this.told.add(why);
		}

		@Override
		public void unreachable(String why) {
			ConnectionKeeperTests.this.told.add(why);
		}

		@Override
		public void refusedCredentials(String why, boolean bySentinel) {
			ConnectionKeeperTests.this.told.add(why);
		}

	}

}
