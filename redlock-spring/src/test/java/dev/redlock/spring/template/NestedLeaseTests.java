package dev.redlock.spring.template;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockLostException;
import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.LossPolicy;
import dev.redlock.LossReason;
import dev.redlock.Redlock;
import dev.redlock.RedlockListener;
import dev.redlock.RequestListener;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The lease that nested work sees covers every name that the work asked for, whether it
 * was just taken or is held by outer work.
 */
class NestedLeaseTests {

	private final LockWorld world = new LockWorld();

	private final RedLockTemplate template = new RedLockTemplate(this.world.redlock, Runnable::run);

	private final ReactiveRedLockTemplate reactive = new ReactiveRedLockTemplate(this.world.redlock,
			Schedulers.immediate());

	@AfterEach
	void leavesNothingBehind() {
		assertThat(Thread.interrupted()).isFalse();
		assertThat(CurrentLease.get()).isEmpty();
		assertThat(this.world.redlock.leases()).isEmpty();
	}

	@Test
	void aLockInsideOfAPermitOnTheSameNameIsRefusedBecauseOtherOwnersHavePermitsToo() {
		this.template.execute(LockRequest.of("ocr").withPermits(5), (permit) -> {
			assertThatIllegalStateException()
				.isThrownBy(() -> this.template.execute(LockRequest.of("ocr"), (lease) -> null))
				.withMessageContaining("'ocr'")
				.withMessageContaining("permits = 5")
				.withMessageContaining("lock another name");
			assertThatIllegalStateException()
				.isThrownBy(() -> this.template.execute(LockRequest.of("ocr").withPermits(4), (lease) -> null));
			assertThatIllegalStateException().isThrownBy(() -> this.template.executeAsync(LockRequest.of("ocr"),
					(lease) -> CompletableFuture.completedFuture("ran")));
			assertThatIllegalStateException()
				.isThrownBy(() -> this.reactive.execute(LockRequest.of("ocr"), (lease) -> Mono.just("ran")).block());
			return this.template.execute(LockRequest.of("ocr").withPermits(5), (lease) -> null);
		});
	}

	@Test
	void oneFenceForSeveralLeasesIsRefusedAndSaysWhatToAskFor() {
		under("a", (a) -> under("a", "b", (both) -> {
			assertThat(CurrentLease.require()).isSameAs(both);
			assertThatIllegalStateException().isThrownBy(both::fence)
				.withMessageContaining("[a, b]")
				.withMessageContaining("fence(\"a\")");
		}));
	}

	@Test
	void leaseIsWorthNoMoreThanTheWeakestBehindIt() {
		expiringSoon("a", (a) -> ignoring("a", "b", (both) -> {
			assertThat(both.remaining()).isEqualTo(a.remaining()).isPositive();
			this.world.time.advance(Duration.ofSeconds(11));
			assertThat(both.isValid()).isFalse();
			assertThat(both.remaining()).isZero();
			assertThat(CurrentLease.forResource("b").orElseThrow().isValid()).isTrue();
			RedLockAssert.assertLocked("b");
			assertThatExceptionOfType(LockLostException.class).isThrownBy(RedLockAssert::assertLocked);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> RedLockAssert.assertLocked("a"));
		}));
	}

	@Test
	void extensionReachesEveryLease() {
		expiringSoon("a", (a) -> ignoring("a", "b", (both) -> {
			assertThat(both.extend(Duration.ofSeconds(25))).isTrue();
			assertThat(a.remaining()).isGreaterThan(Duration.ofSeconds(20));
			assertThat(remaining("b")).isGreaterThan(Duration.ofSeconds(20));
			assertThat(both.extendAsync(Duration.ofSeconds(30))).isCompletedWithValue(true);
			assertThat(both.remaining()).isGreaterThan(Duration.ofSeconds(25));
		}));
	}

	@Test
	void extensionOfLeasesOfWhichOneIsLostExtendsNone() {
		ignoring("a", (a) -> ignoring("b", (b) -> ignoring("a", "b", (both) -> {
			this.world.redlock.revoke("b");
			Duration before = a.remaining();
			assertThat(both.extend(Duration.ofSeconds(30))).isFalse();
			assertThat(both.extendAsync(Duration.ofSeconds(30))).isCompletedWithValue(false);
			assertThat(a.remaining()).isEqualTo(before);
		})));
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "b" })
	void lossOfAnyLeaseIsTold(String lost) {
		ignoring("a", (a) -> ignoring("a", "b", (both) -> {
			CompletableFuture<LossReason> told = both.lost().toCompletableFuture();
			assertThat(told).isNotDone();
			this.world.redlock.revoke(lost);
			assertThat(told).isCompletedWithValue(LossReason.REVOKED);
			assertThat(both.isValid()).isFalse();
		}));
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "a b" })
	void lossOfAnOuterLeaseInterruptsInnerWorkThatAskedForTheNameAndForThat(String names) {
		LockRequest inner = this.world.now(names.split(" ")).withOnLoss(LossPolicy.INTERRUPT);
		AtomicBoolean interrupted = new AtomicBoolean();
		ignoring("a", (a) -> {
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> this.template.<Void>execute(inner, (lease) -> {
					this.world.redlock.revoke("a");
					interrupted.set(Thread.currentThread().isInterrupted());
					return null;
				}))
				.withMessageContaining("[a]");
			assertThat(Thread.currentThread().isInterrupted()).isFalse();
		});
		assertThat(interrupted).isTrue();
	}

	@Test
	void lossOfOneOuterLeaseDuringAnAcquisitionLeavesTheOtherOuterLeases() {
		Redlock[] lock = new Redlock[1];
		lock[0] = this.world.listened(new RedlockListener() {
			@Override
			public @Nullable RequestListener requested(LockRequest request) {
				return !request.resources().equals(List.of("b")) ? null : new RequestListener() {
					@Override
					public void ended(LockAttempt attempt) {
						lock[0].revoke("a");
					}
				};
			}
		});
		RedLockTemplate losing = new RedLockTemplate(lock[0], Runnable::run);
		losing.execute(this.world.now("c"), (c) -> {
			losing.execute(this.world.now("a").withOnLoss(LossPolicy.IGNORE), (a) -> {
				assertThatExceptionOfType(LockLostException.class)
					.isThrownBy(() -> losing.acquire(this.world.now("a", "b", "c")));
				return null;
			});
			assertThat(this.world.isHeld("b")).isFalse();
			assertThat(this.world.isHeld("c")).isTrue();
			return null;
		});
	}

	@Test
	void lossOfAnOuterLeaseEndsAsynchronousAndReactiveWorkAtOnceIfAsked() {
		LockRequest inner = this.world.now("a", "b").withOnLoss(LossPolicy.INTERRUPT);
		endsAtOnce((never) -> this.template.executeAsync(inner, (lease) -> never));
		endsAtOnce((never) -> this.reactive.execute(inner, (lease) -> Mono.fromFuture(never)).toFuture());
	}

	@Test
	void workDoesNotBeginIfAnOuterLeaseIsLostWhileItWaitsForTheRest() {
		LockRequest inner = this.world.now("a", "b").withWaitFor(Duration.ofSeconds(30));
		neverBegins((work) -> this.template.executeAsync(inner,
				(lease) -> CompletableFuture.completedFuture(work.apply(lease))));
		neverBegins((work) -> this.reactive.execute(inner, (lease) -> Mono.just(work.apply(lease))).toFuture());
		neverBegins((work) -> this.reactive.acquire(inner).map(work).toFuture());
		neverBegins((work) -> inThread(() -> this.template.execute(inner, work::apply)));
		neverBegins((work) -> inThread(() -> work.apply(this.template.acquire(inner))));
		neverBegins((work) -> inThread(() -> work.apply(this.template.tryAcquire(inner).orElseThrow())));
	}

	private void neverBegins(Function<Function<Lease, String>, CompletableFuture<String>> call) {
		Lease others = this.world.other.attemptAndWait(this.world.now("b")).orThrow();
		AtomicBoolean began = new AtomicBoolean();
		ignoring("a", (a) -> {
			int before = this.world.time.pending();
			CompletableFuture<String> answer = call.apply((lease) -> "began " + began.getAndSet(true));
			// The pause before the next try and the deadline.
			Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.world.time.pending() == before + 2);
			this.world.redlock.revoke("a");
			others.close();
			this.world.time.advance(Duration.ofSeconds(1));
			assertThat(answer).failsWithin(Duration.ofSeconds(30))
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(LockLostException.class)
				.withMessageContaining("[a]");
		});
		assertThat(began).isFalse();
		assertThat(this.world.isHeld("b")).isFalse();
	}

	/**
	 * Runs a call that blocks in a thread that works under the same leases.
	 */
	private static CompletableFuture<String> inThread(Supplier<String> call) {
		Lease current = CurrentLease.require();
		return CompletableFuture.supplyAsync(() -> {
			CurrentLease scope = CurrentLease.open(current);
			try {
				return call.get();
			}
			finally {
				scope.close();
			}
		});
	}

	@Test
	void acquiredLeaseCoversWhatTheThreadHeldAndReleasesOnlyWhatIsNew() {
		acquiresBoth(() -> this.template.acquire(this.world.now("a", "b")));
		acquiresBoth(() -> this.template.tryAcquire(this.world.now("a", "b")).orElseThrow());
		acquiresBoth(() -> this.reactive.acquire(this.world.now("a", "b")).block());
	}

	@Test
	void atLeastOfANestedCallAppliesOnlyToTheNamesThatItAcquires() {
		LockRequest inner = this.world.now("a", "b").withAtLeast(Duration.ofSeconds(5));
		under("a", (a) -> run(inner, (both) -> {
		}));
		assertThat(this.world.isHeld("a")).isFalse();
		assertThat(this.world.isHeld("b")).isTrue();
		this.world.time.advance(Duration.ofSeconds(5));
		assertThat(this.world.isHeld("b")).isFalse();
	}

	private void endsAtOnce(Function<CompletableFuture<String>, CompletableFuture<String>> call) {
		ignoring("a", (a) -> {
			CompletableFuture<String> answer = call.apply(new CompletableFuture<>());
			assertThat(answer).isNotDone();
			this.world.redlock.revoke("a");
			assertThat(answer).failsWithin(Duration.ofSeconds(5))
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(LockLostException.class)
				.withMessageContaining("[a]");
			assertThat(this.world.isHeld("b")).isFalse();
		});
	}

	private void acquiresBoth(Supplier<Lease> acquire) {
		under("a", (a) -> {
			Lease both = acquire.get();
			assertThat(both.resources()).containsExactly("a", "b");
			assertThat(both.isValid()).isTrue();
			both.close();
			assertThat(both.isValid()).isFalse();
			assertThat(a.isValid()).isTrue();
			assertThat(this.world.isHeld("a")).isTrue();
			assertThat(this.world.isHeld("b")).isFalse();
		});
		ignoring("a", (a) -> {
			Lease both = acquire.get();
			this.world.redlock.revoke("a");
			assertThat(both.isValid()).isFalse();
			assertThat(both.lost()).isCompletedWithValue(LossReason.REVOKED);
			assertThat(both.releaseAsync()).isCompleted();
			assertThat(this.world.isHeld("b")).isFalse();
		});
	}

	private void under(String name, Consumer<Lease> work) {
		run(this.world.now(name), work);
	}

	private void under(String name, String other, Consumer<Lease> work) {
		run(this.world.now(name, other), work);
	}

	private void ignoring(String name, Consumer<Lease> work) {
		run(this.world.now(name).withOnLoss(LossPolicy.IGNORE), work);
	}

	private void ignoring(String name, String other, Consumer<Lease> work) {
		run(this.world.now(name, other).withOnLoss(LossPolicy.IGNORE), work);
	}

	private void expiringSoon(String name, Consumer<Lease> work) {
		run(this.world.now(name).withOnLoss(LossPolicy.IGNORE).withTtl(Duration.ofSeconds(10)), work);
	}

	private void run(LockRequest request, Consumer<Lease> work) {
		this.template.<Void>execute(request, (lease) -> {
			work.accept(lease);
			return null;
		});
	}

	private static Duration remaining(String name) {
		return CurrentLease.forResource(name).orElseThrow().remaining();
	}

}
