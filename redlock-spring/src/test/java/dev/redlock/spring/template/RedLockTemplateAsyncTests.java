package dev.redlock.spring.template;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.LossPolicy;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class RedLockTemplateAsyncTests {

	private final LockWorld world = new LockWorld();

	private final Deque<Runnable> tasks = new ArrayDeque<>();

	private final RedLockTemplate template = new RedLockTemplate(this.world.redlock, this.tasks::add);

	private final CompletableFuture<String> work = new CompletableFuture<>();

	@Test
	void functionRunsOnTheExecutorWithItsLeaseBound() {
		AtomicReference<Lease> bound = new AtomicReference<>();
		this.template.executeAsync(this.world.now("stock:1"), (lease) -> {
			bound.set(CurrentLease.require());
			assertThat(bound.get()).isSameAs(lease);
			return this.work;
		});
		assertThat(bound.get()).isNull();
		runTasks();
		assertThat(bound.get().resources()).containsExactly("stock:1");
		assertThat(CurrentLease.get()).isEmpty();
	}

	@Test
	void callerThatGivesUpBeforeTheWorkHasAThreadGivesTheLockBack() {
		CompletableFuture<String> cancelled = this.template.executeAsync(this.world.now("stock:1"),
				(lease) -> this.work);
		CompletableFuture<String> timedOut = this.template.executeAsync(this.world.now("stock:2"),
				(lease) -> this.work);
		CompletableFuture<String> inner = this.template.execute(this.world.now("stock:3"),
				(outer) -> this.template.executeAsync(this.world.now("stock:3"), (lease) -> this.work));
		cancelled.cancel(true);
		timedOut.completeExceptionally(new TimeoutException());
		inner.cancel(true);
		assertThat(List.of("stock:1", "stock:2", "stock:3")).noneMatch(this.world::isHeld);
		runTasks();
		assertThat(this.work).isNotDone();
	}

	@Test
	void exceptionOfTheFunctionReleasesTheLock() {
		IllegalStateException failure = new IllegalStateException("of the function");
		CompletableFuture<String> answer = this.template.executeAsync(this.world.now("stock:1"), (lease) -> {
			throw failure;
		});
		runTasks();
		assertThat(answer.handle((value, ex) -> ex).join()).isSameAs(failure);
		assertThat(this.world.isHeld("stock:1")).isFalse();
	}

	@Test
	void futureThatItsCallerCompletesGivesUpWaitingForTheLock() {
		this.world.hold("stock:1");
		CompletableFuture<String> answer = this.template.executeAsync(LockRequest.of("stock:1"), (lease) -> this.work);
		answer.completeExceptionally(new TimeoutException());
		assertThat(this.world.redlock.waiters()).isEmpty();
		runTasks();
		assertThat(this.work.getNumberOfDependents()).isZero();
	}

	@Test
	void workGoesOnUnderItsLockWhenItsCallerCompletesTheFuture() {
		CompletableFuture<String> answer = this.template.executeAsync(this.world.now("stock:1"), (lease) -> this.work);
		runTasks();
		answer.completeExceptionally(new TimeoutException());
		assertThat(this.work).isNotDone();
		assertThat(this.world.isHeld("stock:1")).isTrue();
		this.work.complete("done");
		assertThat(this.world.isHeld("stock:1")).isFalse();
	}

	@Test
	void cancellingAStageThatCannotBeCancelledHoldsTheLockUntilItCompletes() {
		CompletableFuture<String> answer = this.template.executeAsync(this.world.now("stock:1"),
				(lease) -> this.work.minimalCompletionStage());
		runTasks();
		answer.cancel(true);
		assertThat(this.world.isHeld("stock:1")).isTrue();
		this.work.complete("done");
		assertThat(this.world.isHeld("stock:1")).isFalse();
	}

	@Test
	void lossCancelsTheStageAtOnceWhenAsked() {
		CompletableFuture<String> answer = this.template
			.executeAsync(this.world.now("stock:1").withOnLoss(LossPolicy.INTERRUPT), (lease) -> this.work);
		runTasks();
		this.world.time.advance(LockWorld.TOO_LONG);
		assertThat(this.work).isCancelled();
		assertThat(answer.handle((value, ex) -> ex).join()).isInstanceOf(LockLostException.class);
	}

	@Test
	void decoratorThatThrowsLeavesNothingBehind() {
		RedLockTemplate decorating = new RedLockTemplate(this.world.redlock, this.tasks::add, (task) -> {
			throw new IllegalStateException("no request");
		});
		decorating.execute(this.world.now("stock:1"), (outer) -> {
			assertThatIllegalStateException()
				.isThrownBy(() -> decorating.executeAsync(this.world.now("stock:1", "stock:2"), (lease) -> this.work));
			return null;
		});
		assertThat(List.of("stock:1", "stock:2")).noneMatch(this.world::isHeld);
	}

	@Test
	void taskOfADecoratorThatThrowsLeavesNothingBehind() {
		RedLockTemplate decorating = new RedLockTemplate(this.world.redlock, this.tasks::add, (task) -> () -> {
			throw new IllegalStateException("no context");
		});
		CompletableFuture<String> answer = decorating.executeAsync(this.world.now("stock:1"), (lease) -> this.work);
		assertThatIllegalStateException().isThrownBy(this::runTasks).withMessage("no context");
		assertThat(this.world.isHeld("stock:1")).isFalse();
		assertThat(answer.handle((value, ex) -> ex).join()).hasMessage("no context");
	}

	@Test
	void executorThatRejectsLeavesNothingBehind() {
		RedLockTemplate rejecting = new RedLockTemplate(this.world.redlock, (task) -> {
			throw new RejectedExecutionException("full");
		});
		CompletableFuture<String> answer = rejecting.executeAsync(this.world.now("stock:1"), (lease) -> this.work);
		assertThat(answer.handle((value, ex) -> ex).join()).isInstanceOf(RejectedExecutionException.class);
		assertThat(this.world.isHeld("stock:1")).isFalse();
	}

	@Test
	void whatAsynchronousWorkKeepsIsRenewedThoughItsThreadHasEnded() throws InterruptedException {
		LockWorld renewing = new LockWorld(LockWorld.renewing());
		RedLockTemplate locks = new RedLockTemplate(renewing.redlock, Runnable::run);
		Thread thread = new Thread(() -> locks.execute(renewing.now("stock:1"),
				(outer) -> locks.executeAsync(renewing.now("stock:1"), (inner) -> this.work)));
		thread.start();
		thread.join();
		renewing.time.advance(LockWorld.TOO_LONG);
		renewing.time.advance(LockWorld.TOO_LONG);
		assertThat(renewing.isHeld("stock:1")).isTrue();
		this.work.complete("done");
		assertThat(renewing.isHeld("stock:1")).isFalse();
	}

	private void runTasks() {
		while (!this.tasks.isEmpty()) {
			this.tasks.remove().run();
		}
	}

}
