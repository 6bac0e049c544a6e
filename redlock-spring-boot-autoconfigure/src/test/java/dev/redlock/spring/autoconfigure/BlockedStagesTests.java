package dev.redlock.spring.autoconfigure;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LockRequest;
import dev.redlock.LossPolicy;
import dev.redlock.LossReason;
import dev.redlock.Redlock;
import dev.redlock.RedlockListener;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spi.Ticker;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What applications hang on the stages of requests and leases may block all threads that
 * call it. No verdict and no loss stands behind it.
 */
class BlockedStagesTests {

	private static final int MORE_THAN_THREADS = 40;

	private static final Duration SHORT = Duration.ofSeconds(1);

	@Test
	void aLossIsToldToListenersAndInterruptsItsWorkWhileStagesOfAttemptsBlock() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RedlockAutoConfiguration.class))
			.withUserConfiguration(Losses.class)
			.run((context) -> {
				CountDownLatch latch = new CountDownLatch(1);
				try {
					attempts(context.getBean(Redlock.class), latch);
					losesAndInterrupts(context);
				}
				finally {
					latch.countDown();
				}
			});
	}

	private static void losesAndInterrupts(AssertableApplicationContext context) throws Exception {
		Redlock redlock = context.getBean(Redlock.class);
		Lease lease = redlock.attemptInScope(LockRequest.of("lost").withTtl(SHORT)).orThrow();
		CompletionStage<LossReason> lost = lease.lost();
		BlockingQueue<String> losses = context.getBean(Losses.class).losses;
		for (String told = losses.poll(10, TimeUnit.SECONDS); !"[lost]".equals(told); told = losses.poll(10,
				TimeUnit.SECONDS)) {
			assertThat(told).as("the loss that a listener is told of").isNotNull();
		}
		assertThat(lost.toCompletableFuture().get(10, TimeUnit.SECONDS)).isEqualTo(LossReason.EXPIRED);
		CountDownLatch never = new CountDownLatch(1);
		assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> context.getBean(RedLockTemplate.class)
				.execute(interrupted("stock"), (held) -> never.await(10, TimeUnit.SECONDS)))
			.satisfies((ex) -> assertThat(ex.getSuppressed()).hasOnlyElementsOfType(LockLostException.class));
	}

	private static LockRequest interrupted(String resource) {
		return LockRequest.of(resource).withTtl(SHORT).withOnLoss(LossPolicy.INTERRUPT);
	}

	private static void attempts(Redlock redlock, CountDownLatch latch) {
		for (int i = 0; i < MORE_THAN_THREADS; i++) {
			redlock.attempt(LockRequest.of("blocking-" + i)).thenRun(() -> block(latch));
		}
	}

	/**
	 * Blocks the threads that complete stages, not the one that found its stage complete.
	 */
	private static void block(CountDownLatch latch) {
		if (!Thread.currentThread().getName().startsWith("redlock-callback")) {
			return;
		}
		try {
			assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class Losses {

		private final BlockingQueue<String> losses = new LinkedBlockingQueue<>();

		@Bean
		LockNodes nodes() {
			Ticker ticker = Ticker.SYSTEM;
			return LockNodes.of(Stream.of("a", "b", "c").map((name) -> new InMemoryNode(name, ticker)).toList());
		}

		@Bean
		RedlockListener listener() {
			return new RedlockListener() {

				@Override
				public void leaseLost(Lease lease, LossReason reason) {
					Losses.this.losses.add(lease.resources().toString());
				}

			};
		}

	}

}
