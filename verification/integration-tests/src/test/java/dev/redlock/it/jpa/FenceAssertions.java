package dev.redlock.it.jpa;

import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import dev.redlock.spring.fencing.StaleFenceException;

import org.springframework.dao.OptimisticLockingFailureException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Assertions that the contracts of JPA, Spring Data JDBC and R2DBC share.
 */
public final class FenceAssertions {

	private FenceAssertions() {
	}

	/**
	 * Asserts that work is refused because a later holder has claimed the row.
	 */
	public static void assertStale(Class<? extends OptimisticLockingFailureException> type, long fence, long highest,
			Runnable work) {
		assertThatExceptionOfType(type).isThrownBy(work::run)
			.withRootCauseInstanceOf(StaleFenceException.class)
			.satisfies((ex) -> {
				StaleFenceException cause = (StaleFenceException) ex.getRootCause();
				assertThat(cause.fence()).isEqualTo(fence);
				assertThat(cause.highest()).isEqualTo(highest);
			});
	}

	/**
	 * Runs work in two threads at once, and returns the sum of what both return.
	 */
	public static int inTwoThreads(Callable<Integer> work) throws Exception {
		CyclicBarrier start = new CyclicBarrier(2);
		ExecutorService threads = Executors.newFixedThreadPool(2);
		try {
			Callable<Integer> together = () -> {
				start.await(30, TimeUnit.SECONDS);
				return work.call();
			};
			Future<Integer> one = threads.submit(together);
			Future<Integer> two = threads.submit(together);
			return one.get(60, TimeUnit.SECONDS) + two.get(60, TimeUnit.SECONDS);
		}
		finally {
			threads.shutdownNow();
		}
	}

}
