package dev.redlock.internal;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tasks that wait behind others that block.
 */
class CallbacksTests {

	private final ExecutorService executor = Executors.newFixedThreadPool(2);

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
	void eachOfManyTasksThatBlockIsBegun() throws Exception {
		CountDownLatch begun = new CountDownLatch(200);
		for (int i = 0; i < 200; i++) {
			this.callbacks.execute(() -> {
				begun.countDown();
				block();
			});
		}
		assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void aLossIsReportedHoweverManyTasksBlock() throws Exception {
		for (int i = 0; i < 1_200; i++) {
			this.callbacks.execute(this::block);
		}
		CompletableFuture<String> loss = new CompletableFuture<>();
		this.callbacks.executeFirst(() -> loss.complete("told"));
		assertThat(loss.get(30, TimeUnit.SECONDS)).isEqualTo("told");
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
