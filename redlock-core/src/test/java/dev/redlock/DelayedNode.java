package dev.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import dev.redlock.memory.ManualTime;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Watch;
import org.jspecify.annotations.Nullable;

/**
 * The connection of one process to a node that takes time to reach: operations, answers
 * and announcements arrive after a delay, each kind in the order in which it was sent.
 */
final class DelayedNode implements LockNode {

	/** How long one way takes at least. A test may change it at any time. */
	Duration delay;

	/** How much longer one way may take; null for half of the delay. */
	@Nullable Duration jitter;

	/** Whether each operation fails before it is sent. */
	boolean broken;

	/** Whether an attempt to acquire fails before it is sent. */
	boolean acquiresNothing;

	private final LockNode node;

	private final ManualTime time;

	private final RandomGenerator random;

	private final Way operations = new Way();

	private final Way answers = new Way();

	private final Way announcements = new Way();

	DelayedNode(LockNode node, ManualTime time, Duration delay, RandomGenerator random) {
		this.node = node;
		this.time = time;
		this.delay = delay;
		this.random = random;
	}

	/**
	 * Sends and answers again.
	 */
	void behave() {
		this.broken = false;
		this.acquiresNothing = false;
	}

	@Override
	public String name() {
		return this.node.name();
	}

	@Override
	public NodeStatus status() {
		return this.node.status();
	}

	@Override
	public CompletionStage<Vote> acquire(Claim claim, long fence) {
		return this.acquiresNothing ? notSent() : ask(() -> this.node.acquire(claim, fence));
	}

	@Override
	public CompletionStage<Vote> extend(Claim claim, long fence) {
		return ask(() -> this.node.extend(claim, fence));
	}

	@Override
	public CompletionStage<Vote> restore(Claim claim, long fence) {
		return ask(() -> this.node.restore(claim, fence));
	}

	@Override
	public CompletionStage<Vote> release(Claim claim, Duration keep, boolean announce) {
		return ask(() -> this.node.release(claim, keep, announce));
	}

	@Override
	public CompletionStage<Vote> tick(Claim claim, Tick tick, boolean mark) {
		return ask(() -> this.node.tick(claim, tick, mark));
	}

	@Override
	public CompletionStage<Vote> inspect(String key) {
		return ask(() -> this.node.inspect(key));
	}

	@Override
	public CompletionStage<Vote> inspectAll(List<String> keys) {
		return ask(() -> this.node.inspectAll(keys));
	}

	@Override
	public Watch watch(String key, ReleaseListener listener) {
		DelayedWatch watch = new DelayedWatch(listener);
		this.operations.send(() -> watch.open(key));
		return watch;
	}

	private CompletionStage<Vote> ask(Supplier<CompletionStage<Vote>> operation) {
		if (this.broken) {
			return notSent();
		}
		CompletableFuture<Vote> answer = new CompletableFuture<>();
		this.operations
			.send(() -> operation.get().thenAccept((vote) -> this.answers.send(() -> answer.complete(vote))));
		return answer;
	}

	private static CompletionStage<Vote> notSent() {
		return CompletableFuture
			.completedFuture(new Vote.Faulted(Vote.Fault.UNAVAILABLE, "the connection is broken", false));
	}

	/**
	 * Nothing overtakes what was sent before.
	 */
	private final class Way {

		private long latestNanos;

		void send(Runnable arrival) {
			long now = DelayedNode.this.time.nanoTime();
			long nanos = DelayedNode.this.delay.toNanos();
			Duration most = DelayedNode.this.jitter;
			long longer = DelayedNode.this.random.nextLong(((most != null) ? most.toNanos() : nanos / 2) + 1);
			this.latestNanos = Math.max(this.latestNanos, now + nanos + longer);
			DelayedNode.this.time.schedule(Duration.ofNanos(this.latestNanos - now), arrival);
		}

	}

	private final class DelayedWatch implements Watch, ReleaseListener {

		private final ReleaseListener listener;

		private Watch opened = Watch.DEAF;

		private boolean confirmed;

		private boolean closed;

		DelayedWatch(ReleaseListener listener) {
			this.listener = listener;
		}

		void open(String key) {
			if (!this.closed) {
				this.opened = DelayedNode.this.node.watch(key, this);
			}
		}

		@Override
		public void listening() {
			DelayedNode.this.announcements.send(() -> {
				this.confirmed = true;
				if (!this.closed) {
					this.listener.listening();
				}
			});
		}

		@Override
		public void released(String release, int listeners) {
			DelayedNode.this.announcements.send(() -> {
				if (!this.closed) {
					this.listener.released(release, listeners);
				}
			});
		}

		@Override
		public boolean isListening() {
			return this.confirmed && this.opened.isListening();
		}

		@Override
		public void close() {
			this.closed = true;
			DelayedNode.this.operations.send(() -> this.opened.close());
		}

	}

}
