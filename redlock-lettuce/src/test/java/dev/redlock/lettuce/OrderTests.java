package dev.redlock.lettuce;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Granted;
import io.lettuce.core.RedisClient;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.claim;
import static dev.redlock.lettuce.NodeFixture.unguarded;
import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

class OrderTests {

	/**
	 * The I/O thread is held up until another thread has called the acquire; left to
	 * itself Lettuce then writes the release of the I/O thread first.
	 */
	@ParameterizedTest
	@EnumSource
	void aReleaseFromTheIoThreadDoesNotOvertakeAnAcquireFromAnotherThread(Client client) throws InterruptedException {
		try (RedisProcess redis = RedisProcess.start(); NodeFixture fixture = new NodeFixture()) {
			LockNode node = await(client.node(fixture, redis), State.READY);
			CountDownLatch onIoThread = new CountDownLatch(1);
			CountDownLatch acquireCalled = new CountDownLatch(1);
			redis.freeze();
			CompletableFuture<Vote> released = node.inspect("other").thenCompose((ignored) -> {
				onIoThread.countDown();
				awaitLatch(acquireCalled);
				return node.release(claim("k", "t"), Duration.ZERO);
			}).toCompletableFuture();
			redis.thaw();
			awaitLatch(onIoThread);
			CompletableFuture<Vote> acquired = node.acquire(claim("k", "t"), fixture.fence()).toCompletableFuture();
			acquireCalled.countDown();
			assertThat(vote(acquired)).isInstanceOf(Granted.class);
			assertThat(vote(released)).isInstanceOf(Granted.class);
			assertThat(redis.<Long>ask((commands) -> commands.exists("k"))).isZero();
		}
	}

	@ParameterizedTest
	@EnumSource
	void thousandsOfPairsFromManyThreadsLeaveNothingBehind(Client client) throws InterruptedException {
		try (RedisProcess redis = RedisProcess.start(); NodeFixture fixture = new NodeFixture()) {
			LockNode node = await(client.node(fixture, redis), State.READY);
			Thread[] threads = new Thread[4];
			for (int i = 0; i < threads.length; i++) {
				String name = "k" + i;
				threads[i] = new Thread(() -> {
					for (int round = 0; round < 2_000; round++) {
						node.acquire(claim(name, "t" + round), fixture.fence());
						node.release(claim(name, "t" + round), Duration.ZERO);
					}
				});
				threads[i].start();
			}
			for (Thread thread : threads) {
				thread.join(NodeFixture.BOUND.toMillis());
			}
			for (int i = 0; i < threads.length; i++) {
				assertThat(vote(node.inspect("k" + i))).isInstanceOf(Granted.class);
			}
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

	/**
	 * Whose thread writes.
	 */
	enum Client {

		/** The one I/O thread of all nodes, which also reads. */
		OF_OUR_OWN {

			@Override
			LockNode node(NodeFixture fixture, RedisProcess redis) {
				return fixture.lettuce("order", redis.uri(), unguarded());
			}

		},

		/** A thread that is not the one of the connection. */
		OF_SOMEBODY {

			@Override
			LockNode node(NodeFixture fixture, RedisProcess redis) {
				return fixture.lettuce("order", RedisClient.create(redis.uri()), unguarded());
			}

		};

		abstract LockNode node(NodeFixture fixture, RedisProcess redis);

	}

}
