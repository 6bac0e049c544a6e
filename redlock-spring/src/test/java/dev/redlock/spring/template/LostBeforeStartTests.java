package dev.redlock.spring.template;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockLostException;
import dev.redlock.LockRequest;
import dev.redlock.LockWorld;
import dev.redlock.LossPolicy;
import dev.redlock.RedlockListener;
import dev.redlock.RequestListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Work whose thread is late: its lock is over when the executor comes to it.
 */
class LostBeforeStartTests {

	private final LockWorld world = new LockWorld();

	private final Deque<Runnable> tasks = new ArrayDeque<>();

	private final RedLockTemplate template = new RedLockTemplate(this.world.redlock, this.tasks::add);

	@ParameterizedTest
	@EnumSource(names = { "THROW", "INTERRUPT", "IGNORE" })
	void asynchronousWorkDoesNotBeginUnderALockThatEndedWhileItWaitedForAThread(LossPolicy onLoss) {
		boolean[] began = new boolean[1];
		CompletableFuture<String> answer = this.template.executeAsync(this.world.now("stock:1").withOnLoss(onLoss),
				(lease) -> {
					began[0] = true;
					return CompletableFuture.completedFuture("done");
				});
		this.world.time.advance(LockWorld.TOO_LONG);
		// Another process does the same work now.
		assertThat(this.world.hold("stock:1").isValid()).isTrue();
		runTasks();
		assertThat(began[0]).as("whether the work began without its lock, while another process holds it").isFalse();
		assertThat(answer.handle((value, failure) -> failure).join()).isInstanceOf(LockLostException.class);
	}

	@ParameterizedTest
	@EnumSource(names = { "THROW", "INTERRUPT", "IGNORE" })
	void blockingWorkDoesNotBeginUnderALockThatEndedInAPauseAfterItsGrant(LossPolicy onLoss) {
		boolean[] began = new boolean[1];
		RedLockTemplate paused = new RedLockTemplate(this.world.listened(new RedlockListener() {
			@Override
			public RequestListener requested(LockRequest request) {
				return new RequestListener() {
					@Override
					public void ended(LockAttempt attempt) {
						LostBeforeStartTests.this.world.time.advance(LockWorld.TOO_LONG);
					}
				};
			}
		}), Runnable::run);
		LockRequest request = this.world.now("stock:1").withOnLoss(onLoss);
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> paused.execute(request, (lease) -> began[0] = true));
		assertThat(paused.executeUntilComplete(request, (lease) -> {
			began[0] = true;
			return CompletableFuture.completedFuture("done");
		}).handle((value, failure) -> failure).join()).isInstanceOf(LockLostException.class);
		assertThat(began[0]).as("whether the work began without its lock").isFalse();
	}

	@Test
	void aFutureWhoseWorkNeverGetsAThreadFailsWhenItsLockEnds() {
		CompletableFuture<String> first = this.template.executeAsync(this.world.now("stock:1"),
				(lease) -> CompletableFuture.completedFuture("done"));
		CompletableFuture<String> inner = this.template.execute(this.world.now("stock:2"),
				(outer) -> this.template.executeAsync(
						this.world.now("stock:2").withResources(List.of("stock:2", "stock:3")),
						(lease) -> CompletableFuture.completedFuture("done")));
		// The executor has shut down, and has dropped the tasks.
		this.tasks.clear();
		this.world.redlock.revoke("stock:2");
		assertThat(inner).isCompletedExceptionally();
		assertThat(this.world.isHeld("stock:3")).isFalse();
		assertThat(first).isNotDone();
		this.world.redlock.close();
		assertThat(first.handle((value, failure) -> failure).join()).isInstanceOf(LockLostException.class);
	}

	@Test
	void refusedWorkWhoseCallerGetsNoThreadDoesNotKeepTheOuterLock() {
		Lease elsewhere = this.world.hold("stock:3");
		this.template.execute(this.world.now("stock:2"), (outer) -> this.template
			.executeAsync(this.world.now("stock:2", "stock:3"), (lease) -> CompletableFuture.completedFuture("done")));
		this.tasks.clear();
		assertThat(this.world.isHeld("stock:2")).isFalse();
		elsewhere.close();
	}

	@Test
	void reactiveWorkDoesNotBeginUnderALockThatEndedWhileItWaitedForAThread() {
		boolean[] began = new boolean[1];
		ReactiveRedLockTemplate reactive = new ReactiveRedLockTemplate(this.world.redlock,
				Schedulers.fromExecutor(this.tasks::add));
		CompletableFuture<String> answer = reactive.execute(this.world.now("stock:1"), (lease) -> {
			began[0] = true;
			return Mono.just("done");
		}).toFuture();
		this.world.time.advance(LockWorld.TOO_LONG);
		assertThat(this.world.hold("stock:1").isValid()).isTrue();
		runTasks();
		assertThat(began[0]).as("whether the work began without its lock, while another process holds it").isFalse();
		assertThat(answer.handle((value, failure) -> failure).join()).isInstanceOf(LockLostException.class);
	}

	private void runTasks() {
		while (!this.tasks.isEmpty()) {
			this.tasks.remove().run();
		}
	}

}
