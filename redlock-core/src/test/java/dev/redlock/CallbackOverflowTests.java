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

import dev.redlock.RequestListener.HoldEnd;
import dev.redlock.RequestListener.RenewalOutcome;
import dev.redlock.spi.Vote;
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
		Recorder recorder = new Recorder();
		Redlock redlock = this.world
			.process(this.world.over(this.world.connect()).callbacks(CallbackOverflowTests::reject).listener(recorder));
		Lease lease = acquire(redlock, STOCK.withRenew(true));
		move(Duration.ofSeconds(4));
		this.world.nodes.forEach((server) -> server.forget());
		move(Duration.ofSeconds(4));
		assertThat(lease.isValid()).isFalse();
		assertThat(recorder.lost.get(10, TimeUnit.SECONDS)).isNotIn(this.movers);
		assertThat(recorder.renewed.get(10, TimeUnit.SECONDS)).isNotIn(this.movers);
		assertThat(recorder.voted.get(10, TimeUnit.SECONDS)).isNotIn(this.movers);
		assertThat(recorder.ended.get(10, TimeUnit.SECONDS)).isNotIn(this.movers);
		assertThat(recorder.holdEnded.get(10, TimeUnit.SECONDS)).isNotIn(this.movers);
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

	/**
	 * Remembers where it was told what.
	 */
	private static final class Recorder implements RedlockListener, RequestListener {

		private final CompletableFuture<Thread> voted = new CompletableFuture<>();

		private final CompletableFuture<Thread> ended = new CompletableFuture<>();

		private final CompletableFuture<Thread> renewed = new CompletableFuture<>();

		private final CompletableFuture<Thread> holdEnded = new CompletableFuture<>();

		private final CompletableFuture<Thread> lost = new CompletableFuture<>();

		@Override
		public boolean isQuick() {
			return true;
		}

		@Override
		public RequestListener requested(LockRequest request) {
			return this;
		}

		@Override
		public void voted(String node, Vote vote, Duration took) {
			this.voted.complete(Thread.currentThread());
		}

		@Override
		public void ended(LockAttempt attempt) {
			this.ended.complete(Thread.currentThread());
		}

		@Override
		public void renewed(Lease lease, RenewalOutcome outcome) {
			this.renewed.complete(Thread.currentThread());
		}

		@Override
		public void holdEnded(Lease lease, HoldEnd end) {
			this.holdEnded.complete(Thread.currentThread());
		}

		@Override
		public void leaseLost(Lease lease, LossReason reason) {
			this.lost.complete(Thread.currentThread());
		}

	}

}
