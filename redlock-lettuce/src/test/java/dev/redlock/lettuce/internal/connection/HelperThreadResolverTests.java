package dev.redlock.lettuce.internal.connection;

import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.redlock.lettuce.NodeFixture;
import dev.redlock.lettuce.RedisProcess;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote.Granted;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.netty.resolver.DefaultAddressResolverGroup;
import org.junit.jupiter.api.Test;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.claim;
import static dev.redlock.lettuce.NodeFixture.unguarded;
import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

class HelperThreadResolverTests {

	@Test
	void aNameThatIsNotResolvedYetDelaysNoOtherNodeAndNoTimer() {
		CountDownLatch asked = new CountDownLatch(1);
		CountDownLatch found = new CountDownLatch(1);
		HelperThreadResolver names = new HelperThreadResolver((host) -> {
			asked.countDown();
			awaitLatch(found);
			return new InetAddress[] { InetAddress.getLoopbackAddress() };
		});
		try (RedisProcess redis = RedisProcess.start();
				RedisProcess other = RedisProcess.start();
				NodeFixture fixture = new NodeFixture()) {
			ClientResources resources = fixture.resources.clientResources()
				.mutate()
				.addressResolverGroup(names)
				.build();
			LockNode slow = fixture.lettuce("slow",
					RedisClient.create(resources, RedisURI.create("slow.invalid", redis.port())), unguarded());
			awaitLatch(asked);
			LockNode node = await(fixture.lettuce("node", other.uri(), unguarded()), State.READY);
			assertThat(vote(node.acquire(claim("k", "t"), fixture.fence()))).isInstanceOf(Granted.class);
			CompletableFuture<Void> timer = new CompletableFuture<>();
			fixture.loop.schedule(Duration.ofMillis(5), () -> timer.complete(null));
			timer.orTimeout(NodeFixture.BOUND.toSeconds(), TimeUnit.SECONDS).join();
			assertThat(slow.status().state()).isEqualTo(State.UNAVAILABLE);
			found.countDown();
			await(slow, State.READY);
		}
	}

	@Test
	void theResolverOfTheJdkIsReplacedWhereverItIsConfigured() {
		try (NodeResources own = NodeResources.create()) {
			assertThat(own.clientResources().addressResolverGroup()).isNotSameAs(DefaultAddressResolverGroup.INSTANCE);
		}
		ClientResources shared = ClientResources.builder()
			.addressResolverGroup(DefaultAddressResolverGroup.INSTANCE)
			.build();
		try (NodeResources resources = NodeResources.sharing(shared)) {
			assertThat(resources.clientResources().addressResolverGroup()).isInstanceOf(HelperThreadResolver.class);
		}
		finally {
			shared.shutdown();
		}
	}

	private static void awaitLatch(CountDownLatch latch) {
		try {
			assertThat(latch.await(NodeFixture.BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
