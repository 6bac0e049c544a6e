package dev.redlock.spring.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
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
import org.springframework.boot.test.context.runner.ContextConsumer;
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

	private static final Duration BOUND = Duration.ofSeconds(10);

	@Test
	void aLossIsToldToListenersAndInterruptsItsWorkWhileStagesOfAttemptsBlock() {
		whileStagesBlock(BlockedStagesTests::attempts, BlockedStagesTests::losesAndInterrupts);
	}

	@Test
	void everyRequestIsAnsweredWhileStagesBlock() {
		whileStagesBlock(BlockedStagesTests::attempts, (context) -> {
			Redlock redlock = context.getBean(Redlock.class);
			for (int i = 0; i < MORE_THAN_THREADS; i++) {
				Lease lease = redlock.attempt(LockRequest.of("name-" + i))
					.toCompletableFuture()
					.get(10, TimeUnit.SECONDS)
					.orThrow();
				assertThat(lease.extendAsync(Duration.ofSeconds(10)).toCompletableFuture()).succeedsWithin(BOUND)
					.isEqualTo(true);
				assertThat(redlock.inspect("name-" + i).toCompletableFuture()).succeedsWithin(BOUND);
				assertThat(lease.releaseAsync().toCompletableFuture()).succeedsWithin(BOUND);
			}
			CompletableFuture<String> work = context.getBean(RedLockTemplate.class)
				.executeAsync(LockRequest.of("more"), (lease) -> CompletableFuture.completedFuture("done"));
			assertThat(work.get(10, TimeUnit.SECONDS)).isEqualTo("done");
		});
	}

	@Test
	void stagesThatWaitForASecondRequestGetItsAnswer() {
		whileStagesBlock((redlock, latch) -> {
		}, (context) -> {
			Redlock redlock = context.getBean(Redlock.class);
			List<CompletableFuture<LockAttempt>> second = new ArrayList<>();
			for (int i = 0; i < MORE_THAN_THREADS; i++) {
				LockRequest inner = LockRequest.of("inner-" + i);
				second.add(redlock.attempt(LockRequest.of("outer-" + i))
					.thenApply((attempt) -> redlock.attempt(inner).toCompletableFuture().join())
					.toCompletableFuture());
			}
			for (CompletableFuture<LockAttempt> attempt : second) {
				assertThat(attempt.get(30, TimeUnit.SECONDS).lease()).isPresent();
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

	private static List<Lease> held(Redlock redlock) {
		List<Lease> leases = new ArrayList<>();
		for (int i = 0; i < MORE_THAN_THREADS; i++) {
			leases.add(redlock.attemptInScope(LockRequest.of("blocking-" + i)).orThrow());
		}
		return leases;
	}

	private static void whileStagesBlock(BiConsumer<Redlock, CountDownLatch> blocking,
			ContextConsumer<AssertableApplicationContext> test) {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RedlockAutoConfiguration.class))
			.withUserConfiguration(Losses.class)
			.run((context) -> {
				CountDownLatch latch = new CountDownLatch(1);
				try {
					blocking.accept(context.getBean(Redlock.class), latch);
					test.accept(context);
				}
				finally {
					latch.countDown();
				}
			});
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
