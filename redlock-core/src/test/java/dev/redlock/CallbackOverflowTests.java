package dev.redlock;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static dev.redlock.Completed.ended;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What users hang on requests and leases while the executor for callbacks takes no more.
 * In these tests the nodes answer, and timers run, on the thread that moves the time.
 */
class CallbackOverflowTests {

	private static final LockRequest STOCK = LockRequest.of("stock");

	@RegisterExtension
	final LockWorld world = LockWorld.distant(1, 5);

	private final Set<Thread> movers = ConcurrentHashMap.newKeySet();

	@Test
	void whatHangsOnAStageNeverRunsWhereNodesAnswer() throws Exception {
		Redlock redlock = process(CallbackOverflowTests::reject);
		Lease lease = acquire(redlock, STOCK);
		Lease lost = acquire(redlock, LockRequest.of("lost").withTtl(Duration.ofSeconds(1)));
		Lease revoked = acquire(redlock, LockRequest.of("revoked"));
		Map<String, CompletableFuture<Thread>> ran = new HashMap<>();
		ran.put("attempt", thread(redlock.attempt(LockRequest.of("other"))));
		ran.put("attempt that fails", thread(redlock.attempt(STOCK.withWaitFor(Duration.ofMillis(100)))));
		ran.put("inspect", thread(redlock.inspect("stock")));
		ran.put("extend", thread(lease.extendAsync(Duration.ofSeconds(10))));
		ran.put("loss", thread(lost.lost()));
		ran.put("loss by revocation", thread(revoked.lost()));
		ran.put("revocation", thread(redlock.revoke("revoked").orElseThrow()));
		move(Duration.ofSeconds(2));
		ran.put("release", thread(lease.releaseAsync()));
		move(Duration.ofSeconds(1));
		for (Map.Entry<String, CompletableFuture<Thread>> each : ran.entrySet()) {
			assertThat(each.getValue().get(10, TimeUnit.SECONDS)).as(each.getKey())
				.isNotIn(this.movers)
				.isNotSameAs(Thread.currentThread());
		}
	}

	@Test
	void whatIsToldToAListenerIsNotToldWhereNodesAnswer() throws Exception {
		Map<String, CompletableFuture<Thread>> told = new HashMap<>();
		Stream.of("voted", "ended", "renewed", "holdEnded", "leaseLost")
			.forEach((hook) -> told.put(hook, new CompletableFuture<>()));
		Redlock redlock = this.world.process(
				this.world.over(this.world.connect()).callbacks(CallbackOverflowTests::reject).listener(new AllHooks() {
					@Override
					public boolean isQuick() {
						return true;
					}

					@Override
					protected void told(String hook, String what) {
						told.getOrDefault(hook, new CompletableFuture<>()).complete(Thread.currentThread());
					}
				}));
		acquire(redlock, STOCK.withRenew(true));
		move(Duration.ofSeconds(4));
		this.world.nodes.forEach((server) -> server.forget());
		move(Duration.ofSeconds(4));
		for (Map.Entry<String, CompletableFuture<Thread>> each : told.entrySet()) {
			assertThat(each.getValue().get(10, TimeUnit.SECONDS)).as(each.getKey()).isNotIn(this.movers);
		}
	}

	private Redlock process(Executor callbacks) {
		return this.world.process(this.world.over(this.world.connect()).callbacks(callbacks));
	}

	private Lease acquire(Redlock redlock, LockRequest request) throws Exception {
		CompletableFuture<LockAttempt> attempt = redlock.attempt(request).toCompletableFuture();
		move(Duration.ofMillis(10));
		return attempt.get(10, TimeUnit.SECONDS).orThrow();
	}

	private void move(Duration step) throws InterruptedException {
		Thread mover = new Thread(() -> this.world.time.advance(step));
		this.movers.add(mover);
		mover.start();
		ended(mover);
	}

	private static CompletableFuture<Thread> thread(CompletionStage<?> stage) {
		return stage.thenApply((result) -> Thread.currentThread()).toCompletableFuture();
	}

	private static void reject(Runnable callback) {
		throw new RejectedExecutionException("There is no place for " + callback);
	}

}
