package dev.redlock.spring.template;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;

import dev.redlock.CurrentLease;
import dev.redlock.LockLostException;
import dev.redlock.LockWorld;
import dev.redlock.LossPolicy;
import dev.redlock.LossReason;
import dev.redlock.memory.InMemoryNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

class ReactiveRedLockTemplateTests {

	private final LockWorld world = new LockWorld();

	private final ReactiveRedLockTemplate template = new ReactiveRedLockTemplate(this.world.redlock,
			Schedulers.immediate());

	private final Sinks.Many<String> work = Sinks.many().unicast().onBackpressureBuffer();

	private final CompletableFuture<List<String>> answer = new CompletableFuture<>();

	@AfterEach
	void leavesNoLeaseOnTheThreadAndNoTimer() {
		assertThat(CurrentLease.get()).isEmpty();
		this.world.redlock.close();
		this.world.other.close();
		assertThat(this.world.time.pending()).isZero();
	}

	@Test
	void exceptionOfTheFunctionReleasesTheLock() {
		NoClassDefFoundError failure = new NoClassDefFoundError("of the function");
		subscribe(this.template.executeMany(this.world.now("stock:1"), (lease) -> {
			throw failure;
		}));
		assertThat(failure()).isSameAs(failure);
		assertThat(this.world.isHeld("stock:1")).isFalse();
	}

	@Test
	void takingLessThanThereIsReleasesTheLock() {
		assertThat(this.template
			.executeMany(this.world.now("stock:1"), (lease) -> Flux.just("one", "two").concatWith(Flux.never()))
			.blockFirst()).isEqualTo("one");
		assertThat(this.world.isHeld("stock:1")).isFalse();
	}

	@Test
	void lossIsIgnoredWhenAsked() {
		subscribe(this.template.executeMany(this.world.now("stock:1").withOnLoss(LossPolicy.IGNORE),
				(lease) -> this.work.asFlux()));
		this.world.time.advance(LockWorld.TOO_LONG);
		this.work.tryEmitComplete().orThrow();
		assertThat(this.answer).isCompletedWithValue(List.of());
	}

	@Test
	void lossCancelsTheWorkAtOnceWhenAsked() {
		subscribe(this.template.executeMany(this.world.now("stock:1").withOnLoss(LossPolicy.INTERRUPT),
				(lease) -> this.work.asFlux()));
		this.world.time.advance(LockWorld.TOO_LONG);
		assertThat(this.work.currentSubscriberCount()).isZero();
		assertThat(failure())
			.isInstanceOfSatisfying(LockLostException.class,
					(lost) -> assertThat(lost.reason()).isEqualTo(LossReason.EXPIRED))
			.hasNoSuppressedExceptions();
	}

	@Test
	void releaseIsAwaitedWhenTheSettingsSaySo() {
		LockWorld awaiting = new LockWorld(LockWorld.awaitingRelease());
		ReactiveRedLockTemplate slow = new ReactiveRedLockTemplate(awaiting.redlock, Schedulers.immediate());
		subscribe(slow.execute(awaiting.now("stock:1"), (lease) -> {
			awaiting.nodes.forEach(InMemoryNode::freeze);
			return Mono.just("done");
		}));
		assertThat(this.answer).isNotDone();
		awaiting.nodes.forEach(InMemoryNode::up);
		assertThat(this.answer).isCompletedWithValue(List.of("done"));
	}

	@Test
	void schedulerThatRejectsLeavesNothingBehind() {
		Scheduler disposed = Schedulers.newSingle("disposed");
		disposed.dispose();
		subscribe(new ReactiveRedLockTemplate(this.world.redlock, disposed).execute(this.world.now("stock:1"),
				(lease) -> Mono.just("must not run")));
		assertThat(failure()).isInstanceOf(RejectedExecutionException.class);
		assertThat(this.world.isHeld("stock:1")).isFalse();
	}

	private Disposable subscribe(Publisher<String> locked) {
		return Flux.from(locked).collectList().subscribe(this.answer::complete, this.answer::completeExceptionally);
	}

	private Throwable failure() {
		AtomicReference<Throwable> failure = new AtomicReference<>();
		this.answer.whenComplete((values, ex) -> failure.set(ex));
		assertThat(failure).doesNotHaveNullValue();
		return failure.get();
	}

}
