package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two processes with many or few threads, each of which takes a permit again and again.
 */
class PermitShareTests {

	private volatile boolean over;

	@ParameterizedTest
	@CsvSource({ "1, 1, 1", "1, 4, 1", "2, 8, 1", "3, 8, 8", "5, 20, 1" })
	void noProcessGetsLessThanAFifthOfThePermits(int permits, int threads, int otherThreads) {
		LockWorld world = LockWorld.distant(permits + threads, 5);
		LockRequest one = LockRequest.of("ocr").withPermits(permits).withWaitFor(Duration.ofMinutes(10));
		AtomicInteger many = new AtomicInteger();
		AtomicInteger few = new AtomicInteger();
		Redlock first = world.distantProcess();
		Redlock second = world.distantProcess();
		for (int i = 0; i < threads; i++) {
			work(world, first, one, many);
		}
		for (int i = 0; i < otherThreads; i++) {
			work(world, second, one, few);
		}
		for (int i = 0; i < 10_000; i++) {
			world.time.advance(Duration.ofMillis(1));
		}
		this.over = true;
		world.time.advance(Duration.ofSeconds(30));
		List.of(first, second).forEach(Redlock::close);
		int all = many.get() + few.get();
		assertThat(Math.min(many.get(), few.get())).as("of %s, %s and %s", all, many, few).isGreaterThan(all / 5);
	}

	private void work(LockWorld world, Redlock process, LockRequest request, AtomicInteger done) {
		if (this.over) {
			return;
		}
		CompletableFuture<LockAttempt> asked = process.attempt(request).toCompletableFuture();
		asked.thenAccept((attempt) -> attempt.lease().ifPresent((lease) -> {
			done.incrementAndGet();
			world.time.schedule(Duration.ofMillis(3), () -> {
				lease.close();
				work(world, process, request, done);
			});
		}));
	}

}
