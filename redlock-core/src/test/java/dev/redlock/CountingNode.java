package dev.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.ReleaseListener;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Watch;

/**
 * Counts what a node is asked, can keep its announcements to itself, and lets a test do
 * something just before a fence is settled, or a lease prolonged or written again.
 */
class CountingNode implements LockNode {

	final AtomicInteger acquires = new AtomicInteger();

	final AtomicInteger releases = new AtomicInteger();

	private final AtomicInteger others = new AtomicInteger();

	final AtomicInteger announced = new AtomicInteger();

	/** What was asked for, and what was released, in the order of the calls. */
	final List<Claim> acquired = new ArrayList<>();

	final List<Claim> released = new ArrayList<>();

	/** A vote that a succession gets instead of being sent; null for none. */
	Vote votesOnSuccession;

	/** Whether a release fails before it is sent. */
	boolean releasesNothing;

	boolean silent;

	/** Whether the node says that it announces releases. */
	boolean announces = true;

	/** Whether the watches of this node are told of releases. */
	boolean listening = true;

	/** Whether no announcement arrives at the watches, which still seem to listen. */
	boolean deaf;

	Runnable beforeExtend = () -> {
	};

	Runnable beforeRestore = () -> {
	};

	Runnable beforeTick = () -> {
	};

	Supplier<NodeStatus> status;

	private final List<ReleaseListener> listeners = new ArrayList<>();

	private final LockNode node;

	CountingNode(LockNode node) {
		this.node = node;
		this.status = node::status;
	}

	@Override
	public String name() {
		return this.node.name();
	}

	@Override
	public NodeStatus status() {
		return this.status.get();
	}

	@Override
	public CompletionStage<Vote> acquire(Claim claim, long fence) {
		this.acquires.incrementAndGet();
		this.acquired.add(claim);
		boolean votes = this.votesOnSuccession == null || claim.succeeds() == null;
		return votes ? this.node.acquire(claim, fence) : CompletableFuture.completedStage(this.votesOnSuccession);
	}

	/** Returns how many commands the node has received. */
	int commands() {
		return this.acquires.get() + this.releases.get() + this.others.get();
	}

	@Override
	public CompletionStage<Vote> extend(Claim claim, long fence) {
		this.others.incrementAndGet();
		this.beforeExtend.run();
		return this.node.extend(claim, fence);
	}

	@Override
	public CompletionStage<Vote> restore(Claim claim, long fence) {
		this.beforeRestore.run();
		return this.node.restore(claim, fence);
	}

	@Override
	public CompletionStage<Vote> release(Claim claim, Duration keep, boolean announce) {
		this.releases.incrementAndGet();
		this.announced.addAndGet(announce ? 1 : 0);
		this.released.add(claim);
		if (this.releasesNothing) {
			return CompletableFuture.completedStage(new Vote.Faulted(Vote.Fault.UNAVAILABLE, "not sent", false));
		}
		return this.node.release(claim, keep, announce && !this.silent);
	}

	@Override
	public boolean announces() {
		return this.announces;
	}

	@Override
	public Watch watch(String key, ReleaseListener listener) {
		Watch watch = this.node.watch(key, new ReleaseListener() {

			@Override
			public void listening() {
				if (CountingNode.this.listening) {
					listener.listening();
				}
			}

			@Override
			public void released(String release, int listeners) {
				if (CountingNode.this.listening && !CountingNode.this.deaf) {
					listener.released(release, listeners);
				}
			}

		});
		this.listeners.add(listener);
		return new Watch() {

			@Override
			public boolean isListening() {
				return CountingNode.this.listening && watch.isListening();
			}

			@Override
			public void close() {
				CountingNode.this.listeners.remove(listener);
				watch.close();
			}

		};
	}

	/**
	 * Does nothing special any more.
	 */
	void behave() {
		this.votesOnSuccession = null;
		this.releasesNothing = false;
		this.silent = false;
		this.deaf = false;
		this.announces = true;
		this.beforeExtend = () -> {
		};
		this.beforeRestore = this.beforeExtend;
		this.beforeTick = this.beforeExtend;
		this.status = this.node::status;
		if (!this.listening) {
			listenAgain();
		}
	}

	/**
	 * Tells the watches of releases again.
	 */
	void listenAgain() {
		this.listening = true;
		List.copyOf(this.listeners).forEach(ReleaseListener::listening);
	}

	@Override
	public CompletionStage<Vote> tick(Claim claim, Tick tick, boolean mark) {
		this.beforeTick.run();
		return this.node.tick(claim, tick, mark);
	}

	@Override
	public CompletionStage<Vote> inspectAll(List<String> keys) {
		this.others.incrementAndGet();
		return this.node.inspectAll(keys);
	}

	@Override
	public CompletionStage<Vote> inspect(String key) {
		this.others.incrementAndGet();
		return this.node.inspect(key);
	}

}
