package dev.redlock.spring.interceptor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.spring.interceptor.TwoHosts.Counter;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two applications count in the same row of a real database, under the same lock.
 */
class LostUpdateTests {

	private static final int WORKERS_PER_HOST = 2;

	private static final long ONE_MILLISECOND_NANOS = 1_000_000;

	private final ExecutorService workers = Executors.newFixedThreadPool(2 * WORKERS_PER_HOST);

	private TwoHosts hosts;

	@BeforeEach
	void start() {
		this.hosts = new TwoHosts();
	}

	@AfterEach
	void stop() {
		this.workers.shutdownNow();
		this.hosts.close();
	}

	@Test
	void noUpdateIsLost() throws Exception {
		this.hosts.start(TwoHosts.Transactions.class);
		count(900, (host) -> {
			Counter counter = this.hosts.bean(host, Counter.class);
			return counter::increment;
		});
		assertThat(this.hosts.counted()).isEqualTo(900);
	}

	@Test
	void noUpdateIsLostWhenTheLockIsTakenInsideOfTheTransaction() throws Exception {
		this.hosts.start(TwoHosts.Transactions.class);
		count(600, (host) -> {
			Counter counter = this.hosts.bean(host, Counter.class);
			TransactionTemplate transaction = transaction(host);
			return () -> transaction.execute((status) -> counter.increment());
		});
		assertThat(this.hosts.counted()).isEqualTo(600);
	}

	/**
	 * The control: it shows that the tests above could fail.
	 */
	@Test
	void updatesAreLostWhenTheLockIsReleasedBeforeTheCommit() throws Exception {
		this.hosts.start(TwoHosts.Transactions.class);
		count(600, (host) -> {
			RedLockTemplate locks = this.hosts.bean(host, RedLockTemplate.class);
			Counter counter = this.hosts.bean(host, Counter.class);
			TransactionTemplate transaction = transaction(host);
			LockRequest request = LockRequest.of("counter")
				.withWaitFor(Duration.ofSeconds(20))
				.withRetryDelay(Duration.ofMillis(1));
			return () -> transaction.execute((status) -> {
				Lease lease = locks.acquire(request);
				counter.incrementWithoutLock();
				lease.close();
				awaitNextOwner();
				return null;
			});
		});
		assertThat(this.hosts.counted()).isPositive().isLessThan(600);
	}

	private TransactionTemplate transaction(int host) {
		return new TransactionTemplate(this.hosts.bean(host, PlatformTransactionManager.class));
	}

	/**
	 * A commit takes its time; here, as long as it takes the next one to get the lock.
	 */
	private void awaitNextOwner() {
		long start = System.nanoTime();
		while (!this.hosts.isHeld("counter") && System.nanoTime() - start < ONE_MILLISECOND_NANOS) {
			Thread.onSpinWait();
		}
	}

	private void count(int times, Work work) throws Exception {
		int workers = 2 * WORKERS_PER_HOST;
		CyclicBarrier together = new CyclicBarrier(workers);
		List<Callable<Void>> tasks = IntStream.range(0, workers).<Callable<Void>>mapToObj((worker) -> () -> {
			Callable<?> increment = work.on(worker % 2);
			together.await(10, TimeUnit.SECONDS);
			for (int i = 0; i < times / workers; i++) {
				increment.call();
			}
			return null;
		}).toList();
		for (Future<Void> done : this.workers.invokeAll(tasks, 60, TimeUnit.SECONDS)) {
			done.get();
		}
	}

	@FunctionalInterface
	private interface Work {

		Callable<?> on(int host);

	}

}
