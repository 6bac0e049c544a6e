package dev.redlock.spring.template;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.redlock.Lease;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.LossPolicy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Many pieces of work under one lease that is held for weeks, such as that of a leader.
 */
class LongLeaseTests {

	private static final LockRequest IMPORTER = LockRequest.of("importer").withOnLoss(LossPolicy.INTERRUPT);

	private final LockWorld world = new LockWorld();

	private final Lease lease = this.world.redlock.attempt(this.world.now("importer"))
		.toCompletableFuture()
		.join()
		.orThrow();

	private final List<CompletableFuture<Void>> calls = new ArrayList<>();

	private final RedLockTemplate template = RedLockTemplate.borrowing(this.world.redlock, "importer", this::lend,
			Runnable::run);

	private final ReactiveRedLockTemplate reactive = new ReactiveRedLockTemplate(this.template);

	private boolean lends = true;

	@Test
	void workThatALossInterruptsLeavesNothingOnTheLease() throws InterruptedException {
		Thread worker = new Thread(() -> this.template.execute(IMPORTER, (current) -> "done"));
		worker.start();
		worker.join();
		WeakReference<Thread> left = new WeakReference<>(worker);
		worker = null;
		assertThatNothingKeeps(left);
	}

	@Test
	void asynchronousWorkThatALossCancelsLeavesNothingOnTheLease() {
		WeakReference<Object> left = new WeakReference<>(
				this.template.executeAsync(IMPORTER, (current) -> CompletableFuture.completedFuture(new Object()))
					.join());
		assertThatNothingKeeps(left);
	}

	@Test
	void reactiveWorkThatALossCancelsLeavesNothingOnTheLease() {
		assertThatNothingKeeps(subscribed(this.reactive, IMPORTER));
	}

	@Test
	void piecesOfWorkUnderTheLeaseDoNotExcludeEachOther() {
		CompletableFuture<String> first = new CompletableFuture<>();
		CompletableFuture<String> answer = this.template.executeAsync(IMPORTER, (current) -> first);
		String second = this.template.execute(IMPORTER,
				(current) -> this.template.execute(IMPORTER, (inner) -> "second"));
		assertThat(second).isEqualTo("second");
		assertThat(answer).isNotDone();
		first.complete("first");
		assertThat(answer).isCompletedWithValue("first");
	}

	@Test
	void piecesOfWorkInsideOfOnePieceDoNotExcludeEachOther() {
		this.template.execute(IMPORTER, (outer) -> {
			CompletableFuture<String> first = new CompletableFuture<>();
			CompletableFuture<String> answer = this.template.executeAsync(IMPORTER, (current) -> first);
			String second = this.template.execute(IMPORTER, (current) -> "second");
			assertThat(second).isEqualTo("second");
			assertThat(answer).isNotDone();
			first.complete("first");
			assertThat(answer).isCompletedWithValue("first");
			return null;
		});
	}

	@Test
	void aPieceOfWorkEndsWithTheWorkInsideOfItWhichBeginsEvenIfTheOwnerLendsNoMore() {
		CompletableFuture<String> inside = new CompletableFuture<>();
		this.template.execute(IMPORTER, (outer) -> {
			this.lends = false;
			assertThat(this.reactive.execute(IMPORTER, (inner) -> Mono.just(inner.fence())).block())
				.isEqualTo(this.lease.fence());
			outer.close();
			return this.template.executeAsync(IMPORTER, (inner) -> inside);
		});
		assertThat(this.calls).singleElement().satisfies((call) -> assertThat(call).isNotDone());
		inside.complete("done");
		assertThat(this.calls).singleElement().satisfies((call) -> assertThat(call).isDone());
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.template.execute(IMPORTER, (current) -> "late"));
		assertThat(this.lease.isValid()).isTrue();
	}

	private Lease lend(CompletionStage<Void> end) {
		if (!this.lends) {
			throw new LockNotAcquiredException("No more", LockNotAcquiredException.Reason.HELD);
		}
		this.calls.add(end.toCompletableFuture());
		return this.lease;
	}

	private static WeakReference<Object> subscribed(ReactiveRedLockTemplate template, LockRequest request) {
		Object subscriber = new Object();
		assertThat(template.execute(request, (current) -> Mono.just(subscriber))
			.contextWrite((context) -> context.put("subscriber", subscriber))
			.block()).isSameAs(subscriber);
		return new WeakReference<>(subscriber);
	}

	private void assertThatNothingKeeps(WeakReference<?> left) {
		Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
			System.gc();
			assertThat(left.get()).isNull();
		});
		assertThat(this.lease.isValid()).isTrue();
	}

}
