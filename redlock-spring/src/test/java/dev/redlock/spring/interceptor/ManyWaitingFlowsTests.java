package dev.redlock.spring.interceptor;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import dev.redlock.Lease;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.RealTime;
import dev.redlock.Redlock;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import dev.redlock.spring.template.RedLockTemplate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Ten thousand flows that wait for one name, on two threads that do everything:
 * subscribe, run timers and callbacks, and go on with the work.
 */
class ManyWaitingFlowsTests {

	private static final int FLOWS = 10_000;

	private static final int IMPATIENT = 1_000;

	private static final Duration BOUND = Duration.ofMinutes(2);

	private final ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(2);

	/** The lock reports on threads of its own, as in an application with the starter. */
	private final ScheduledThreadPoolExecutor callbacks = new ScheduledThreadPoolExecutor(2);

	private final Scheduler scheduler = Schedulers.fromExecutorService(this.threads);

	private final RealTime ticker = new RealTime();

	private final List<InMemoryNode> nodes = List.of(new InMemoryNode("a", this.ticker),
			new InMemoryNode("b", this.ticker), new InMemoryNode("c", this.ticker));

	private final Redlock redlock = Redlock.over(this.nodes)
		.ticker(this.ticker)
		.loop(this.ticker)
		.random(new SplittableRandom(1))
		.callbacks(this.callbacks)
		.build();

	@AfterEach
	void stop() {
		this.ticker.close();
		this.threads.shutdownNow();
		this.callbacks.shutdownNow();
	}

	@Test
	void tenThousandFlowsWaitForOneNameWithoutAThreadOfTheirOwn() {
		this.threads.setRemoveOnCancelPolicy(true);
		this.threads.prestartAllCoreThreads();
		this.callbacks.prestartAllCoreThreads();
		// The JDK has one thread for all delayed tasks, and starts it at the first one.
		CompletableFuture.runAsync(() -> {
		}, CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS, Runnable::run)).join();
		new ApplicationContextRunner().withUserConfiguration(RedLockConfiguration.class)
			.withBean(Redlock.class, () -> this.redlock)
			.withBean(RedLockTemplate.class, () -> new RedLockTemplate(this.redlock, this.threads))
			.withBean(ReactiveRedLockTemplate.class, () -> new ReactiveRedLockTemplate(this.redlock, this.scheduler))
			.withBean(Counter.class, () -> new Counter(this.scheduler))
			.run((context) -> waitAndCount(context.getBean(Counter.class)));
		assertThat(this.nodes).allMatch((node) -> node.tokens().isEmpty());
	}

	private void waitAndCount(Counter counter) throws InterruptedException {
		Flux.merge(counter.count(), counter.countSoon().onErrorComplete()).subscribeOn(this.scheduler).blockLast(BOUND);
		Set<Thread> before = threads();
		Lease others = this.redlock.attemptAndWait(LockRequest.of("counter").withRenew(true)).orThrow();
		CountDownLatch impatient = new CountDownLatch(IMPATIENT);
		AtomicInteger refused = new AtomicInteger();
		AtomicInteger served = new AtomicInteger();
		Mono<Void> all = Flux.range(0, FLOWS)
			.flatMap((number) -> ((number % (FLOWS / IMPATIENT) == 0) ? counter.countSoon() : counter.count())
				.subscribeOn(this.scheduler)
				.doOnNext((count) -> served.incrementAndGet())
				.onErrorResume(LockNotAcquiredException.class, (refusal) -> {
					impatient.countDown();
					refused.incrementAndGet();
					return Mono.empty();
				}), FLOWS)
			.then();
		Mono<Void> done = all.cache();
		done.subscribe();
		// Not Awaitility, which waits on a thread of its own.
		assertThat(impatient.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
		assertThat(served).hasValue(0);
		assertThat(threads()).as("threads while all wait").isSubsetOf(before);
		others.close();
		done.block(BOUND);
		assertThat(served.get() + refused.get()).isEqualTo(FLOWS);
		assertThat(counter.most()).as("at the same time").isOne();
		assertThat(threads()).as("threads at the end").isSubsetOf(before);
		System.out.printf("%d flows waited on 2 threads: %d served, %d refused%n", FLOWS, served.get(), refused.get());
		Awaitility.await().atMost(BOUND).until(() -> this.threads.getQueue().isEmpty() && this.ticker.pending() == 0);
	}

	/**
	 * All threads but those that the lock starts for reports that are late, as they are
	 * on a busy machine, and which end with them.
	 */
	private static Set<Thread> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> !thread.getName().equals("redlock-callback-extra"))
			.collect(Collectors.toSet());
	}

	static class Counter {

		private final AtomicInteger inside = new AtomicInteger();

		private final AtomicInteger most = new AtomicInteger();

		private final AtomicInteger count = new AtomicInteger();

		private final Scheduler scheduler;

		Counter(Scheduler scheduler) {
			this.scheduler = scheduler;
		}

		@RedLock(resource = "counter", waitFor = "60s", retryDelay = "2s")
		public Mono<Integer> count() {
			return work();
		}

		@RedLock(resource = "counter", waitFor = "50ms", retryDelay = "2s")
		public Mono<Integer> countSoon() {
			return work();
		}

		public int most() {
			return this.most.get();
		}

		private Mono<Integer> work() {
			return Mono.fromSupplier(() -> {
				this.most.accumulateAndGet(this.inside.incrementAndGet(), Math::max);
				return this.count.incrementAndGet();
			}).publishOn(this.scheduler).doOnTerminate(this.inside::decrementAndGet);
		}

	}

}
