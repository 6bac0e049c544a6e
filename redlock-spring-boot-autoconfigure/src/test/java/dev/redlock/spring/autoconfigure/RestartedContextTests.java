package dev.redlock.spring.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.LossReason;
import dev.redlock.Redlock;
import dev.redlock.RedlockListener;
import dev.redlock.lettuce.RedisProcess;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spring.template.RedLockTemplate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application context that is stopped and started again.
 */
class RestartedContextTests extends ThreeServers {

	private static final Duration BOUND = Duration.ofSeconds(20);

	@Test
	void everythingThatLocksWorksAgainAfterEachRestart() {
		application().run((context) -> {
			Redlock redlock = context.getBean(Redlock.class);
			RedLockTemplate template = context.getBean(RedLockTemplate.class);
			Shop shop = context.getBean(Shop.class);
			for (int i = 0; i < 3; i++) {
				context.stop();
				assertThat(redlock.attemptAndWait(LockRequest.of("stopped")).reason()).contains(Reason.SHUTTING_DOWN);
				context.start();
				assertThat(redlock.attemptAndWait(LockRequest.of("a" + i)).reason()).isEmpty();
				attempt(redlock, "b" + i).get(10, TimeUnit.SECONDS).orThrow().close();
				assertThat(template.<Boolean>execute("c" + i, Duration.ofSeconds(5), Lease::isValid)).isTrue();
				assertThat(shop.sell("d" + i)).isEqualTo("sold d" + i);
			}
		});
	}

	@Test
	void aStopTakesTheLeasesOfItsOwnThreadAndTellsIt() {
		application().withPropertyValues("redlock.shutdown.release-running=true").run((context) -> {
			Redlock redlock = context.getBean(Redlock.class);
			for (int i = 0; i < 2; i++) {
				Lease lease = redlock.attemptAndWait(LockRequest.of("held")).orThrow();
				context.stop();
				assertThat(lease.isValid()).isFalse();
				assertThat(lease.lost().toCompletableFuture().get(10, TimeUnit.SECONDS))
					.isEqualTo(LossReason.SHUT_DOWN);
				List.of(a, b, c)
					.forEach(
							(server) -> assertThat(server.<Long>ask((redis) -> redis.exists("redlock:held"))).isZero());
				context.start();
			}
			Queue<LossReason> told = context.getBean(Told.class).losses;
			Awaitility.await().atMost(BOUND).until(() -> told.size() == 2);
			assertThat(told).containsOnly(LossReason.SHUT_DOWN);
		});
	}

	@Test
	void aContextStartsAfterAStopThatTimedOut() {
		RedisProcess first = RedisProcess.start();
		RedisProcess second = RedisProcess.start();
		application()
			.withPropertyValues("redlock.instances.a.port=" + first.port(), "redlock.instances.b.port=" + second.port(),
					"redlock.shutdown-timeout=200ms", "redlock.shutdown.release-running=true")
			.run((context) -> {
				Redlock redlock = context.getBean(Redlock.class);
				redlock.attemptInScope(LockRequest.of("slow")).orThrow();
				first.freeze();
				second.freeze();
				context.stop();
				first.thaw();
				second.thaw();
				context.start();
				Awaitility.await()
					.atMost(BOUND)
					.until(() -> redlock.attemptInScope(LockRequest.of("slow")).reason().isEmpty());
			});
		first.close();
		second.close();
	}

	@Test
	void aServerThatThisApplicationKnowsVotesAtOnceAfterARestartOfTheContext() {
		RedisProcess own = RedisProcess.start();
		this.runner
			.withPropertyValues("redlock.ttl=1s", "redlock.max-ttl=2s", "redlock.instances.a.host=127.0.0.1",
					"redlock.instances.a.port=" + own.port())
			.run((context) -> {
				Redlock redlock = context.getBean(Redlock.class);
				Awaitility.await().atMost(BOUND).until(() -> redlock.quorum().isReached());
				context.stop();
				context.start();
				assertThat(redlock.quorum().isReached()).isTrue();
				context.stop();
				own.restart();
				context.start();
				assertThat(redlock.nodes().get(0).status().state()).as("a server that lost its data meanwhile")
					.isEqualTo(State.QUARANTINED);
			});
		own.close();
	}

	private ApplicationContextRunner application() {
		return three().withConfiguration(AutoConfigurations.of(RedlockAnnotationAutoConfiguration.class))
			.withBean(Shop.class)
			.withBean(Told.class);
	}

	private static CompletableFuture<LockAttempt> attempt(Redlock redlock, String name) {
		return redlock.attempt(LockRequest.of(name)).toCompletableFuture();
	}

	static class Told implements RedlockListener {

		private final Queue<LossReason> losses = new ConcurrentLinkedQueue<>();

		@Override
		public void leaseLost(Lease lease, LossReason reason) {
			this.losses.add(reason);
		}

	}

}
