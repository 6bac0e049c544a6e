package dev.redlock.spring.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import dev.redlock.LockRequest;
import dev.redlock.spi.Scheduler;
import dev.redlock.spring.template.RedLockOperations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RedlockThreadsTests {

	private static final Duration BOUND = Duration.ofSeconds(30);

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RedlockAutoConfiguration.class))
		.withPropertyValues("redlock.enabled=false");

	@Test
	void noThreadStartsBeforeItsFirstTask() {
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		this.runner.run((context) -> {
			context.getBean(RedLockOperations.class).execute(LockRequest.of("order"), (lease) -> "done");
			RedlockThreads threads = context.getBean(RedlockThreads.class);
			threads.inOrder("redlock-leader-importer");
			Set<Thread> started = new HashSet<>(Thread.getAllStackTraces().keySet());
			started.removeAll(before);
			assertThat(started).extracting(Thread::getName)
				.noneMatch((name) -> name.startsWith("redlock-timer") || name.startsWith("redlock-listener")
						|| name.startsWith("redlock-leader") || name.startsWith("redlock-async"));
		});
	}

	@Test
	void allThreadsAreDaemonsWithNames() {
		this.runner.run((context) -> {
			RedlockThreads threads = context.getBean(RedlockThreads.class);
			assertThread(threads.inOrder("redlock-leader-importer"), "redlock-leader-importer-");
			assertThread(threads.functions(), "redlock-async-");
			assertThread((task) -> timer(context).schedule(Duration.ZERO, task), "redlock-timer-");
		});
	}

	@Test
	void aTaskThatBlocksDelaysNeitherTheTimerNorAnotherQueue() {
		CountDownLatch end = new CountDownLatch(1);
		this.runner.run((context) -> {
			RedlockThreads threads = context.getBean(RedlockThreads.class);
			ThreadPoolExecutor history = threads.inOrder("redlock-jobs");
			List<Integer> order = new ArrayList<>();
			history.execute(() -> awaitEnd(end));
			CompletableFuture<?>[] waiting = new CompletableFuture<?>[100];
			for (int i = 0; i < waiting.length; i++) {
				int number = i;
				waiting[i] = CompletableFuture.runAsync(() -> order.add(number), history);
			}
			assertThread(threads.inOrder("redlock-leader-importer"), "redlock-leader-importer-");
			assertThread((task) -> timer(context).schedule(Duration.ofMillis(1), task), "redlock-timer-");
			assertThat(order).isEmpty();
			end.countDown();
			assertThat(CompletableFuture.allOf(waiting)).succeedsWithin(BOUND);
			assertThat(order).hasSize(waiting.length).isSorted();
		});
	}

	@Test
	void afterTheContextHasClosedTasksAreRejectedAndTimersAreDropped() {
		this.runner.run((context) -> {
			ThreadPoolExecutor queue = context.getBean(RedlockThreads.class).inOrder("redlock-leader-importer");
			Scheduler timer = timer(context);
			Future<String> last = queue.submit(() -> "told");
			context.close();
			assertThat(last).succeedsWithin(BOUND).isEqualTo("told");
			assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> queue.execute(() -> {
			}));
			timer.schedule(Duration.ZERO, () -> {
			}).cancel();
		});
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void threadsThatMayBlockAreVirtualIfThoseOfSpringBootAre() {
		this.runner.withPropertyValues("spring.threads.virtual.enabled=true").run((context) -> {
			RedlockThreads threads = context.getBean(RedlockThreads.class);
			assertThat(assertThread(threads.inOrder("redlock-leader-importer"), "redlock-leader-importer-")).asString()
				.startsWith("VirtualThread");
			assertThat(assertThread(threads.functions(), "redlock-async-")).asString().startsWith("VirtualThread");
		});
	}

	private static Scheduler timer(ApplicationContext context) {
		return context.getBean("redlockTimer", Scheduler.class);
	}

	private static Thread assertThread(Executor executor, String prefix) {
		Thread thread = CompletableFuture.supplyAsync(Thread::currentThread, executor)
			.orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS)
			.join();
		assertThat(thread.getName()).startsWith(prefix);
		assertThat(thread.isDaemon()).isTrue();
		return thread;
	}

	private static void awaitEnd(CountDownLatch end) {
		try {
			end.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
