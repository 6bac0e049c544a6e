package dev.redlock.spring.template;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

import dev.redlock.Lease;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.spring.CountedTransactions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Pieces of work on one name inside of the same outer work run one after the other.
 */
@Timeout(60)
class SiblingWorkTests {

	private static final LockRequest WAITING = LockRequest.of("a").withWaitFor(Duration.ofSeconds(30));

	private final LockWorld world = new LockWorld();

	private final LockRequest now = this.world.now("a");

	private final RedLockTemplate template = new RedLockTemplate(this.world.redlock, Runnable::run);

	private final ReactiveRedLockTemplate reactive = new ReactiveRedLockTemplate(this.world.redlock,
			Schedulers.immediate());

	private final TransactionTemplate transaction = new TransactionTemplate(new CountedTransactions());

	private final Piece first = new Piece();

	private final Piece second = new Piece();

	private final Piece third = new Piece();

	@AfterEach
	void leavesNothingBehind() {
		assertThat(this.world.redlock.leases()).isEmpty();
	}

	@Test
	void publishersMergedInsideOfAnOuterLockRunOneAfterTheOther() {
		CompletableFuture<List<String>> outer = this.reactive
			.execute(this.now,
					(lease) -> Flux.merge(this.reactive.execute(WAITING, this.first::mono),
							this.reactive.execute(WAITING, this.second::mono))
						.collectList())
			.toFuture();
		assertOneAfterTheOther();
		assertThat(outer).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(List.of("done", "done"));
	}

	@Test
	void futuresInsideOfAnOuterLockRunOneAfterTheOther() {
		this.template.execute(this.now, (outer) -> this.template.executeAsync(WAITING, this.first));
		assertThat(this.world.isHeld("a")).isTrue();
		this.first.end();
		this.template.execute(this.now, (outer) -> {
			Piece other = new Piece();
			this.template.executeAsync(WAITING, other);
			this.template.executeAsync(WAITING, this.second);
			assertThat(this.second.begun).isFalse();
			other.end();
			assertThat(this.second.begun).isTrue();
			return null;
		});
		this.second.end();
	}

	@Test
	void aBlockingCallWaitsForTheFutureBesideIt() throws InterruptedException {
		Thread ending = new Thread(this.first::end);
		this.template.execute(this.now, (outer) -> {
			this.template.executeAsync(WAITING, this.first);
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> this.template.execute(this.now, Lease::fence))
				.withMessage("The lock on [a] was not acquired: HELD, because other work inside of the same lock "
						+ "still runs. Wait for that work before you ask for the lock again, or raise waitFor.")
				.satisfies((refusal) -> assertThat(refusal.reason()).isEqualTo(Reason.HELD));
			ending.start();
			this.template.execute(WAITING, (lease) -> assertThat(this.first.work).isDone());
			return null;
		});
		ending.join();
	}

	@Test
	void aWaitThatIsInterruptedEndsAndLeavesTheFlagSet() {
		this.template.execute(this.now, (outer) -> {
			this.template.executeAsync(WAITING, this.first);
			Thread.currentThread().interrupt();
			Throwable refusal = catchThrowable(() -> this.template.execute(WAITING, Lease::fence));
			assertThat(Thread.interrupted()).isTrue();
			assertThat(refusal).isInstanceOfSatisfying(LockNotAcquiredException.class,
					(ended) -> assertThat(ended.reason()).isEqualTo(Reason.INTERRUPTED));
			this.first.end();
			return null;
		});
	}

	@Test
	void aChildReEntersItsParentAndKeepsItsPlace() {
		this.template.execute(this.now, (outer) -> {
			CompletableFuture<String> parent = this.template.executeAsync(this.now, (lease) -> {
				this.template.executeAsync(this.now, this.first);
				return CompletableFuture.completedFuture("parent");
			});
			assertThat(parent).isCompletedWithValue("parent");
			assertThat(this.first.begun).isTrue();
			this.template.executeAsync(WAITING, this.second);
			assertThat(this.second.begun).as("the child of the first piece still runs").isFalse();
			this.first.end();
			assertThat(this.second.begun).isTrue();
			this.second.end();
			return null;
		});
	}

	@Test
	void aGrandchildOnAnotherThreadReEntersEachWorkAroundIt() {
		RedLockTemplate threads = new RedLockTemplate(this.world.redlock, (task) -> new Thread(task).start());
		LockRequest both = this.world.now("a", "b");
		assertThat(threads.executeAsync(both, (outer) -> threads.executeAsync(both, (middle) -> threads
			.executeAsync(this.now, (inner) -> threads.executeAsync(this.world.now("b"), (innermost) -> {
				assertThat(innermost.fence()).isEqualTo(outer.fence());
				return threads.execute(both, (all) -> CompletableFuture.completedFuture("done"));
			}))))).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("done");
		Awaitility.await().until(() -> this.world.redlock.leases().isEmpty());
	}

	@Test
	void oneThatGivesUpLetsTheNextPass() {
		this.template.execute(this.world.now("a", "b"), (outer) -> {
			this.template.executeAsync(WAITING, this.first);
			CompletableFuture<String> gaveUp = this.template.executeAsync(WAITING.withResources(List.of("a", "b")),
					this.second);
			this.template.executeAsync(WAITING.withResources(List.of("b")), this.third);
			assertThat(this.third.begun).isFalse();
			gaveUp.cancel(true);
			assertThat(this.third.begun).isTrue();
			this.third.end();
			this.first.end();
			return null;
		});
		assertThat(this.second.begun).isFalse();
	}

	@Test
	void aSubscriberThatCancelsWhileItWaitsLetsTheNextPass() {
		this.template.execute(this.now, (outer) -> {
			this.template.executeAsync(WAITING, this.first);
			Disposable waiting = this.reactive.execute(WAITING, this.second::mono).subscribe();
			this.template.executeAsync(WAITING, this.third);
			waiting.dispose();
			this.first.end();
			assertThat(this.third.begun).isTrue();
			this.third.end();
			return null;
		});
		assertThat(this.second.begun).isFalse();
	}

	@Test
	void oneWhoseTimeToWaitIsOverFails() {
		this.template.execute(this.now, (outer) -> {
			this.template.executeAsync(this.now, this.first);
			assertThat(failure(this.template.executeAsync(this.now, this.second)))
				.isInstanceOf(LockNotAcquiredException.class);
			assertThat(failure(this.template.executeAsync(WAITING.withWaitFor(Duration.ofMillis(1)), this.second)))
				.isInstanceOf(LockNotAcquiredException.class);
			assertThat(failure(this.reactive.execute(this.now, this.second::mono).toFuture()))
				.isInstanceOf(LockNotAcquiredException.class);
			this.first.end();
			return null;
		});
		assertThat(this.second.begun).isFalse();
	}

	@Test
	void aFutureInATransactionKeepsItsLockUntilBothHaveEnded() {
		this.transaction.executeWithoutResult((status) -> {
			this.template.executeUntilComplete(this.now, this.first);
			this.first.end();
			assertThat(this.world.isHeld("a")).isTrue();
		});
		assertThat(this.world.isHeld("a")).isFalse();
		this.transaction.executeWithoutResult((status) -> this.template.executeUntilComplete(this.now, this.second));
		assertThat(this.world.isHeld("a")).isTrue();
		this.second.end();
		assertThat(this.world.isHeld("a")).isFalse();
	}

	@Test
	void aBlockingCallInATransactionWaitsForTheFutureBesideIt() {
		this.transaction.executeWithoutResult((status) -> {
			this.template.executeUntilComplete(this.now, (lease) -> {
				this.template.execute(this.now, (child) -> assertThat(child.fence()).isEqualTo(lease.fence()));
				return this.first.apply(lease);
			});
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> this.template.execute(this.now, Lease::fence))
				.withMessageContaining("other work inside of the same lock still runs");
			this.first.end();
			this.template.execute(this.now, (lease) -> assertThat(this.first.work).isDone());
		});
	}

	@Test
	void asynchronousWorkUnderALockWhoseTransactionHasNotCommittedIsRefusedAtOnce() {
		this.template.execute(this.now, (outer) -> {
			this.transaction.executeWithoutResult((status) -> {
				assertThatIllegalStateException().isThrownBy(() -> this.template.executeAsync(WAITING, this.first))
					.withMessageContaining("asynchronous work would not see these writes");
				assertThatIllegalStateException()
					.isThrownBy(() -> this.template.executeUntilComplete(WAITING, this.first));
			});
			return null;
		});
		assertThat(this.first.begun).isFalse();
	}

	@Test
	void asynchronousWorkOnANameThatATransactionKeepsIsRefusedAtOnce() {
		this.transaction.executeWithoutResult((status) -> {
			this.template.execute(this.now, Lease::fence);
			assertThatIllegalStateException().isThrownBy(() -> this.template.executeAsync(WAITING, this.first))
				.withMessage("The transaction of this thread has not committed what it wrote under the lock on [a], "
						+ "and asynchronous work would not see these writes. Start the asynchronous work after the "
						+ "transaction, or call a blocking method.");
			assertThatIllegalStateException().isThrownBy(() -> this.template.executeUntilComplete(WAITING, this.first));
			assertThatIllegalStateException()
				.isThrownBy(() -> this.reactive.execute(WAITING, this.first::mono).block());
		});
		assertThat(this.first.begun).isFalse();
	}

	private void assertOneAfterTheOther() {
		assertThat(this.first.begun).isTrue();
		assertThat(this.second.begun).as("the first one still runs").isFalse();
		this.first.end();
		assertThat(this.second.begun).isTrue();
		this.second.end();
	}

	private static Throwable failure(CompletableFuture<String> answer) {
		Throwable failure = answer.handle((value, thrown) -> thrown).join();
		return (failure instanceof CompletionException) ? failure.getCause() : failure;
	}

	/**
	 * Work that the test lets end.
	 */
	private static final class Piece implements Function<Lease, CompletableFuture<String>> {

		private final CompletableFuture<String> work = new CompletableFuture<>();

		private volatile boolean begun;

		@Override
		public CompletableFuture<String> apply(Lease lease) {
			this.begun = true;
			return this.work;
		}

		private Mono<String> mono(Lease lease) {
			return Mono.fromFuture(apply(lease));
		}

		private void end() {
			this.work.complete("done");
		}

	}

}
