package dev.redlock.spring.template;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ReactiveReEntryTests {

	private final LockWorld world = new LockWorld();

	private final ReactiveRedLockTemplate template = new ReactiveRedLockTemplate(this.world.redlock);

	private final RedLockTemplate blocking = new RedLockTemplate(this.world.redlock, Runnable::run);

	@AfterEach
	void releasesEverything() {
		assertThat(this.world.isHeld("stock:1")).isFalse();
		assertThat(this.world.isHeld("stock:2")).isFalse();
	}

	@Test
	void nestedWorkReEntersOnWhateverThreadItIsSubscribedTo() {
		this.template
			.executeMany(this.world.now("stock:1"),
					(outer) -> Flux.range(0, 10)
						.flatMap((number) -> this.template
							.execute(this.world.now("stock:1").withWaitFor(Duration.ofSeconds(30)),
									(inner) -> Mono.just(inner.fence() == outer.fence()))
							.subscribeOn(Schedulers.boundedElastic())))
			.doOnNext((same) -> assertThat(same).isTrue())
			.blockLast();
	}

	@Test
	void nestedWorkThatIsCancelledWhileItWaitsGivesTheOuterLeaseBack() {
		Lease elsewhere = this.world.other.attemptAndWait(this.world.now("stock:2")).orThrow();
		this.blocking.execute(this.world.now("stock:1"), (outer) -> {
			this.template
				.execute(this.world.now("stock:1", "stock:2").withWaitFor(Duration.ofSeconds(5)),
						(inner) -> Mono.just("both"))
				.subscribe()
				.dispose();
			return null;
		});
		assertThat(this.world.isHeld("stock:1")).isFalse();
		elsewhere.close();
	}

	@Test
	void aLeaseThatIsRefusedOrCancelledLeavesTheOuterLease() {
		Lease elsewhere = this.world.hold("stock:2");
		this.blocking.execute(this.world.now("stock:1"), (outer) -> {
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> this.template.acquire(this.world.now("stock:1", "stock:2")).block());
			assertThat(this.world.isHeld("stock:1")).as("after the refusal").isTrue();
			this.template.acquire(this.world.now("stock:1", "stock:2").withWaitFor(Duration.ofSeconds(5)))
				.subscribe()
				.dispose();
			assertThat(this.world.isHeld("stock:1")).as("after the cancellation").isTrue();
			return null;
		});
		elsewhere.close();
	}

	@Test
	void aCancelledWaitDropsNoError() {
		List<Throwable> dropped = new CopyOnWriteArrayList<>();
		Lease elsewhere = this.world.hold("stock:2");
		LockRequest request = this.world.now("stock:2").withWaitFor(Duration.ofSeconds(5));
		ReactiveRedLockTemplate immediate = new ReactiveRedLockTemplate(this.world.redlock, Schedulers.immediate());
		Hooks.onErrorDropped(dropped::add);
		try {
			immediate.execute(request, (lease) -> Mono.just("late")).subscribe().dispose();
			immediate.acquire(request).subscribe().dispose();
		}
		finally {
			Hooks.resetOnErrorDropped();
		}
		assertThat(dropped).isEmpty();
		assertThat(this.world.redlock.waiters()).isEmpty();
		elsewhere.close();
	}

	@Test
	void flowBesideTheLockedOneDoesNotReEnter() {
		this.template.execute(this.world.now("stock:1"), (outer) -> Mono.just("x").flatMap((value) -> {
			CompletableFuture<String> beside = this.template
				.execute(this.world.now("stock:1"), (inner) -> Mono.just("must not run"))
				.contextWrite((context) -> Context.empty())
				.toFuture();
			return Mono.fromFuture(beside);
		})).as((locked) -> {
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(locked::block);
			return locked;
		});
	}

	@Test
	void leaseOfTheFlowIsAtHandInItsContext() {
		assertThat(this.template
			.execute(this.world.now("stock:1"),
					(outer) -> ReactiveCurrentLease.require()
						.publishOn(Schedulers.boundedElastic())
						.zipWith(Mono.deferContextual((context) -> Mono.just(context.get(Lease.class))))
						.map((both) -> both.getT1() == outer && both.getT2() == outer))
			.block()).isTrue();
		assertThat(ReactiveCurrentLease.get().blockOptional()).isEmpty();
		assertThatIllegalStateException().isThrownBy(() -> ReactiveCurrentLease.require().block());
	}

	@Test
	void leaseIsBoundToTheThreadOnlyWhileTheFunctionRuns() {
		assertThat(this.template.execute(this.world.now("stock:1"), (lease) -> {
			assertThat(CurrentLease.require()).isSameAs(lease);
			return Mono.fromCallable(() -> CurrentLease.get().isPresent());
		}).block()).isFalse();
	}

	@Test
	void blockingWorkInsideTheFunctionReEntersTheNamesOfAllOuterFlows() {
		ReactiveRedLockTemplate elsewhere = new ReactiveRedLockTemplate(this.world.redlock,
				Schedulers.boundedElastic());
		Long fence = elsewhere
			.execute(this.world.now("a"),
					(a) -> elsewhere.execute(this.world.now("b"), (b) -> Mono
						.just(this.blocking.<Long>execute(this.world.now("a"), (again) -> again.fence() - a.fence()))))
			.block();
		assertThat(fence).isZero();
	}

	@Test
	void flowThatBlockingWorkStartsReEntersAndKeepsTheLockUntilBothAreDone() {
		CompletableFuture<String> gate = new CompletableFuture<>();
		CompletableFuture<String> inner = this.blocking.execute(this.world.now("stock:1"),
				(outer) -> this.template
					.execute(this.world.now("stock:1"),
							(lease) -> this.template.execute(this.world.now("stock:1"),
									(nested) -> Mono.fromFuture(gate)))
					.toFuture());
		assertThat(this.world.isHeld("stock:1")).isTrue();
		gate.complete("done");
		assertThat(inner).succeedsWithin(Duration.ofSeconds(5)).isEqualTo("done");
	}

}
