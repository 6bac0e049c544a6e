package dev.redlock.spring.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockLostException;
import dev.redlock.LockRequest;
import dev.redlock.LossPolicy;
import dev.redlock.LossReason;
import dev.redlock.Redlock;
import dev.redlock.RedlockListener;
import dev.redlock.RequestListener;
import dev.redlock.RequestListener.HoldEnd;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.lettuce.SystemTicker;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Vote;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Listeners that never return delay neither a verdict nor the word of a loss.
 */
class BlockedListenersTests {

	private static final int MORE_THAN_THREADS = 40;

	private static final Duration SHORT = Duration.ofMillis(200);

	@Test
	void attemptsAreAnsweredWhileAllListenersBlock() {
		whileListenersBlock((context) -> {
			Redlock redlock = context.getBean(Redlock.class);
			List<CompletableFuture<LockAttempt>> attempts = new ArrayList<>();
			for (int i = 0; i < MORE_THAN_THREADS; i++) {
				attempts.add(redlock.attempt(LockRequest.of("name-" + i)).toCompletableFuture());
			}
			for (CompletableFuture<LockAttempt> attempt : attempts) {
				assertThat(attempt.get(10, TimeUnit.SECONDS).lease()).isPresent();
			}
			CompletableFuture<String> work = context.getBean(RedLockTemplate.class)
				.executeAsync(LockRequest.of("more"), (lease) -> CompletableFuture.completedFuture("done"));
			assertThat(work.get(10, TimeUnit.SECONDS)).isEqualTo("done");
		});
	}

	@Test
	void blockingRequestsReturnAndReleaseWhileAllListenersBlock() {
		whileListenersBlock((context) -> {
			CompletableFuture<String> work = CompletableFuture.supplyAsync(() -> context.getBean(RedLockTemplate.class)
				.execute("stock", Duration.ofSeconds(10), (lease) -> "done"));
			assertThat(work.get(10, TimeUnit.SECONDS)).isEqualTo("done");
			assertThat(context.getBean(Redlock.class).leases()).isEmpty();
		});
	}

	@Test
	void aLossInterruptsItsWorkWhileAllListenersBlock() {
		whileListenersBlock((context) -> {
			Redlock redlock = context.getBean(Redlock.class);
			List<Lease> lost = new ArrayList<>();
			for (int i = 0; i < MORE_THAN_THREADS; i++) {
				lost.add(redlock.attemptInScope(LockRequest.of("lost-" + i).withTtl(SHORT)).orThrow());
			}
			for (Lease lease : lost) {
				assertThat(lease.lost().toCompletableFuture().get(10, TimeUnit.SECONDS)).isEqualTo(LossReason.EXPIRED);
			}
			LockRequest request = LockRequest.of("stock").withTtl(SHORT).withOnLoss(LossPolicy.INTERRUPT);
			CountDownLatch never = new CountDownLatch(1);
			assertThatExceptionOfType(InterruptedException.class)
				.isThrownBy(() -> context.getBean(RedLockTemplate.class)
					.execute(request, (lease) -> never.await(10, TimeUnit.SECONDS)))
				.satisfies((ex) -> assertThat(ex.getSuppressed()).hasOnlyElementsOfType(LockLostException.class));
		});
	}

	private static void whileListenersBlock(ContextConsumer<AssertableApplicationContext> test) {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RedlockAutoConfiguration.class))
			.withUserConfiguration(Blocking.class)
			.run((context) -> {
				try {
					test.accept(context);
				}
				finally {
					context.getBean(Blocking.class).open();
				}
			});
	}

	@Configuration(proxyBeanMethods = false)
	static class Blocking {

		private final CountDownLatch latch = new CountDownLatch(1);

		@Bean
		LockNodes nodes() {
			SystemTicker ticker = new SystemTicker();
			return LockNodes.of(Stream.of("a", "b", "c").map((name) -> new InMemoryNode(name, ticker)).toList());
		}

		@Bean
		RedlockListener blocking() {
			return new RedlockListener() {

				@Override
				public RequestListener requested(LockRequest request) {
					return new RequestListener() {

						@Override
						public void voted(String node, Vote vote, Duration took) {
							block();
						}

						@Override
						public void ended(LockAttempt attempt) {
							block();
						}

						@Override
						public void holdEnded(Lease lease, HoldEnd end) {
							block();
						}

					};
				}

				@Override
				public void leaseLost(Lease lease, LossReason reason) {
					block();
				}

			};
		}

		@EventListener
		void on(RedlockLossEvent event) {
			block();
		}

		void open() {
			this.latch.countDown();
		}

		private void block() {
			try {
				assertThat(this.latch.await(1, TimeUnit.MINUTES)).isTrue();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
