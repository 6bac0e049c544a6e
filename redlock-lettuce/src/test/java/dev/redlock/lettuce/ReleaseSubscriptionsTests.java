package dev.redlock.lettuce;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import dev.redlock.memory.ManualTime;
import dev.redlock.spi.ReleaseListener;
import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReleaseSubscriptionsTests {

	private final ManualTime time = new ManualTime();

	private final AtomicInteger rejected = new AtomicInteger();

	@Test
	void aSubscriptionThatFoundNoThreadIsTriedAgainWhileTheNodeIsConnected() {
		try (RedisClient client = RedisClient.create()) {
			NodeContext context = new NodeContext(NodeFixture.unguarded(), new ServerRegistry(), this.time, this.time,
					(node, from, to) -> {
					});
			ReleaseSubscriptions subscriptions = new ReleaseSubscriptions("n", context, client, (work) -> {
				this.rejected.incrementAndGet();
				throw new RejectedExecutionException("full");
			});
			subscriptions.nodeConnected(true);
			subscriptions.watch("k", new ReleaseListener() {

				@Override
				public void listening() {
				}

				@Override
				public void released(String release, int listeners) {
				}

			});
			this.time.advance(Duration.ofMillis(1));
			int before = this.rejected.get();
			this.time.advance(Duration.ofSeconds(1));
			assertThat(this.rejected).hasValueGreaterThan(before);
			subscriptions.nodeConnected(false);
			this.time.advance(Duration.ofSeconds(1));
			assertThat(this.time.pending()).isZero();
		}
	}

}
