package dev.redlock.internal.vote;

import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tasks that wait behind others that block.
 */
class CallbacksTests {

	private static final int EXECUTOR_THREADS = 2;

	private static final int EXTRA_THREADS = 64;

	private final ExecutorService executor = Executors.newFixedThreadPool(EXECUTOR_THREADS);

	private final Callbacks callbacks = new Callbacks(this.executor);

	private final CountDownLatch latch = new CountDownLatch(1);

	@AfterEach
	void end() {
		this.latch.countDown();
		this.executor.shutdown();
	}

	@Test
	void tasksRunOnTheExecutorWhileItHasTime() throws Exception {
		CompletableFuture<Thread> ran = new CompletableFuture<>();
		this.callbacks.execute(() -> ran.complete(Thread.currentThread()));
		assertThat(ran.get(10, TimeUnit.SECONDS).getName()).startsWith("pool-");
	}

	@Test
	void asManyTasksAreBegunAsThereAreExtraThreadsIfAllTasksBlock() throws Exception {
		CountDownLatch begun = new CountDownLatch(EXECUTOR_THREADS + EXTRA_THREADS);
		for (int i = 0; i < EXECUTOR_THREADS + EXTRA_THREADS; i++) {
			this.callbacks.execute(() -> {
				begun.countDown();
				block();
			});
		}
		assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void extraThreadsAreUsedAgainAndNeverMoreThanSixtyFourOfThem() throws Exception {
		Set<Thread> extra = ConcurrentHashMap.newKeySet();
		for (int round = 0; round < 20; round++) {
			CountDownLatch begun = new CountDownLatch(EXECUTOR_THREADS + EXTRA_THREADS);
			CountDownLatch ended = new CountDownLatch(200);
			for (int i = 0; i < 200; i++) {
				this.callbacks.execute(() -> {
					if (!Thread.currentThread().getName().startsWith("pool-")) {
						extra.add(Thread.currentThread());
					}
					begun.countDown();
					await(begun);
					ended.countDown();
				});
			}
			assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
		}
		assertThat(extra).hasSizeLessThanOrEqualTo(EXTRA_THREADS);
	}

	@Test
	void aTaskDoesNotWaitForTheEndOfALongQueueOfOthers() throws Exception {
		CompletableFuture<Thread> helped = new CompletableFuture<>();
		Queue<Runnable> queue = new ConcurrentLinkedQueue<>();
		Callbacks slow = new Callbacks(queue::add);
		ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
		timer.scheduleAtFixedRate(() -> {
			Runnable next = queue.poll();
			if (next != null) {
				next.run();
			}
		}, 10, 10, TimeUnit.MILLISECONDS);
		for (int i = 0; i < 10_000; i++) {
			slow.execute(() -> {
				if (Thread.currentThread().getName().startsWith("redlock-callback-extra")) {
					helped.complete(Thread.currentThread());
				}
			});
		}
		assertThat(helped.get(30, TimeUnit.SECONDS)).isNotNull();
		timer.shutdownNow();
	}

	@Test
	void aLossIsReportedAndEachLossThatFollowsHoweverManyTasksBlock() throws Exception {
		for (int i = 0; i < 1_200; i++) {
			this.callbacks.execute(this::block);
		}
		for (int i = 0; i < 3; i++) {
			CompletableFuture<String> loss = new CompletableFuture<>();
			this.callbacks.executeFirst(() -> loss.complete("told"));
			assertThat(loss.get(30, TimeUnit.SECONDS)).isEqualTo("told");
		}
	}

	@Test
	void aTaskThatThrowsKeepsNoOtherFromRunning() throws Exception {
		this.executor.shutdown();
		this.callbacks.execute(() -> {
			throw new IllegalStateException("expected by this test");
		});
		CompletableFuture<String> next = new CompletableFuture<>();
		this.callbacks.execute(() -> next.complete("ran"));
		assertThat(next.get(10, TimeUnit.SECONDS)).isEqualTo("ran");
	}

	/**
	 * As a decorator of tasks that finds no context, or a system without a thread to
	 * give.
	 */
	@Test
	void aTaskThatTheExecutorThrowsAtRunsOnAThreadOfItsOwn() throws Exception {
		for (Throwable thrown : List.of(new IllegalStateException("expected"), new OutOfMemoryError("expected"))) {
			CompletableFuture<Thread> ran = new CompletableFuture<>();
			new Callbacks((task) -> sneak(thrown)).execute(() -> ran.complete(Thread.currentThread()));
			assertThat(ran.get(10, TimeUnit.SECONDS)).isNotSameAs(Thread.currentThread());
		}
	}

	@SuppressWarnings("unchecked")
	private static <T extends Throwable> void sneak(Throwable thrown) throws T {
		throw (T) thrown;
	}

	private void block() {
		await(this.latch);
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
