package dev.redlock;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * A distributed lock over independent nodes, held only while a majority has granted it.
 * <p>
 * One instance serves a whole application and is thread-safe. Actions that depend on the
 * returned stages run on the executor for callbacks.
 * <p>
 * The first request opens the lock, if {@link #open} did not, and blocks meanwhile. A
 * closed lock refuses requests until it is opened again.
 */
public final class Redlock implements AutoCloseable {

	private final List<LockNode> nodes;

	private final LockContext context;

	private final KeyQueues queues;

	private final LockLifecycle lifecycle;

	/** The requests that have no outcome yet. */
	private final Set<PendingAttempt> attempts = ConcurrentHashMap.newKeySet();

	private final HeldLeases leases;

	Redlock(List<LockNode> nodes, LockContext context, LockLifecycle lifecycle) {
		this.nodes = nodes;
		this.context = context;
		this.queues = new KeyQueues(context);
		this.leases = new HeldLeases(context.loop());
		this.lifecycle = lifecycle;
	}

	/**
	 * Creates a builder for a lock over the given nodes.
	 * @param nodes the independent nodes that vote
	 * @return the builder
	 */
	public static Builder over(List<? extends LockNode> nodes) {
		return new Builder(nodes);
	}

	/**
	 * Asks for a lock without blocking, and waits for it as the request says. Cancelling
	 * the future gives up and leaves nothing on the nodes.
	 * @param request what to lock, and how
	 * @return completes with the outcome of the request; exceptionally only when
	 * cancelled
	 */
	public CompletionStage<LockAttempt> attempt(LockRequest request) {
		CompletableFuture<LockAttempt> asked = new CompletableFuture<>();
		PendingAttempt pending = begin(notifyingPlan(request), null, false);
		pending.outcome().thenAcceptAsync((attempt) -> {
			notifyEnd(pending.plan(), attempt);
			if (!asked.complete(attempt)) {
				attempt.lease().ifPresent(Lease::releaseUnused);
			}
		}, this.context.callbacks());
		asked.whenComplete((attempt, failure) -> {
			if (failure != null) {
				pending.giveUp(Reason.INTERRUPTED);
			}
		});
		return asked;
	}

	/**
	 * Asks for a lock, and blocks the thread while waiting for it as the request says. If
	 * the thread is interrupted, the attempt ends as
	 * {@link LockNotAcquiredException.Reason#INTERRUPTED} and the interrupt flag is set
	 * again. Renewal of the lease stops when this thread ends. If this thread still holds
	 * the lock by such a lease, a new request ends at once as
	 * {@link LockNotAcquiredException.Reason#HELD}, because waiting would block the only
	 * thread that is expected to close the lease. Use {@link #attempt} if another thread
	 * closes it.
	 * @param request what to lock, and how
	 * @return the outcome of the request
	 */
	public LockAttempt attemptAndWait(LockRequest request) {
		return attemptAndWait(request, true);
	}

	/**
	 * Like {@link #attemptAndWait}, but renewal does not stop when this thread ends. For
	 * callers that always release the lease, or pass it on to code that does.
	 * @param request what to lock, and how
	 * @return the outcome of the request
	 */
	public LockAttempt attemptInScope(LockRequest request) {
		return attemptAndWait(request, false);
	}

	/**
	 * Asks the nodes what they know about a resource. If this process holds a lease on
	 * it, only the nodes of that lease are asked, otherwise all nodes. Meant for people
	 * and dashboards: the answer may be outdated when it is read.
	 * @param resource the name of the resource
	 * @return completes when each node has answered or timed out
	 */
	public CompletionStage<Inspection> inspect(String resource) {
		LockPlan plan = plan(LockRequest.of(resource), () -> RequestNotifier.SILENT);
		List<LockNode> asked = held(resource).map((lease) -> lease.plan().nodes()).orElse(this.nodes);
		return inspect(plan, asked);
	}

	/**
	 * Asks the nodes of a request what they know about its resource.
	 * @param request a request for one resource, with its instances unless all nodes vote
	 * on it
	 * @return completes when each node has answered or timed out
	 * @throws IllegalArgumentException if the request names several resources, or
	 * instances that do not exist
	 */
	public CompletionStage<Inspection> inspect(LockRequest request) {
		if (request.resources().size() > 1) {
			throw new IllegalArgumentException("Inspect one resource at a time, not " + request.resources());
		}
		LockPlan plan = plan(request, () -> RequestNotifier.SILENT);
		return inspect(plan, plan.nodes());
	}

	/**
	 * Checks that a request is possible: its ttl fits the settings and its instances
	 * exist.
	 * @param request what to lock, and how
	 * @throws IllegalArgumentException if the request is not possible; the message says
	 * what to change
	 */
	public void check(LockRequest request) {
		plan(request, () -> RequestNotifier.SILENT);
	}

	/**
	 * Returns the settings of this lock.
	 * @return the settings
	 */
	public RedlockSettings settings() {
		return this.context.settings();
	}

	/**
	 * Returns the nodes that vote.
	 * @return the nodes, in the order of their configuration
	 */
	public List<LockNode> nodes() {
		return this.nodes;
	}

	/**
	 * Returns whether enough nodes may vote, by their last known states. Sends nothing to
	 * the nodes.
	 * @return the status; no node is ready for a closed lock
	 */
	public QuorumStatus quorum() {
		return isClosed() ? QuorumStatus.closed(this.nodes) : QuorumStatus.of(this.nodes);
	}

	/**
	 * Returns the leases that this process holds now.
	 * @return the leases without their tokens, sorted by their resources
	 */
	public List<LeaseSnapshot> leases() {
		return this.leases.stream()
			.filter(Lease::isValid)
			.map(LeaseSnapshot::of)
			.sorted(Comparator.comparing((lease) -> lease.resources().toString()))
			.toList();
	}

	/**
	 * Returns the number of requests of this process that are waiting for each resource
	 * now.
	 * @return the numbers by resource name
	 */
	public SortedMap<String, Integer> waiters() {
		return this.attempts.stream()
			.flatMap((pending) -> pending.plan().resources().stream())
			.collect(Collectors.toMap(Function.identity(), (resource) -> 1, Integer::sum, TreeMap::new));
	}

	/**
	 * Takes a lease of this process away from its holder and releases it on the nodes.
	 * The holder is notified of the loss ({@link LossReason#REVOKED}). For operators:
	 * work that ignores the loss continues without a lock.
	 * @param resource the name of the locked resource; a lease on several resources ends
	 * as a whole
	 * @return completes with the result of the release when each node has answered or
	 * timed out; empty if this process holds no lease on the resource
	 */
	public Optional<CompletionStage<ReleaseResult>> revoke(String resource) {
		return held(resource).map((lease) -> lease.revoke(LossReason.REVOKED));
	}

	/**
	 * Returns whether the lock was closed and not opened again.
	 * @return true if requests fail with
	 * {@link LockNotAcquiredException.Reason#SHUTTING_DOWN}
	 */
	public boolean isClosed() {
		return this.lifecycle.isClosed();
	}

	/**
	 * Opens the lock, also after it was closed. Blocks while the nodes are connected.
	 * Does nothing if the lock is open.
	 */
	public void open() {
		this.lifecycle.open(() -> {
			if (!this.context.loop().post(this.queues::open)) {
				throw new IllegalStateException("The lock cannot be opened again, because its event loop has ended");
			}
		});
	}

	/**
	 * Refuses new requests, ends waiting requests, and releases all leases, within the
	 * shutdown timeout of the settings. Then disconnects the nodes. Further calls wait
	 * for nothing, until the lock is opened again.
	 */
	@Override
	public void close() {
		this.lifecycle.close(this::endAll);
	}

	KeyQueues queues() {
		return this.queues;
	}

	private void endAll() {
		CompletableFuture<Void> released = new CompletableFuture<>();
		boolean mayWait = !this.context.loop().inLoop();
		boolean posted = this.context.loop().post(() -> {
			if (this.queues.isClosed()) {
				// Another call waits for the releases.
				released.complete(null);
			}
			this.queues.close();
			this.attempts.forEach((pending) -> pending.giveUp(Reason.SHUTTING_DOWN));
			this.leases.forEach((lease) -> lease.revoke(LossReason.SHUT_DOWN));
			// A separate event, so that it comes after the events caused by the calls
			// above.
			this.context.loop().execute(() -> this.context.releases().whenDone(() -> released.complete(null)));
		});
		if (!posted) {
			this.attempts.forEach((pending) -> pending.giveUp(Reason.SHUTTING_DOWN));
		}
		else if (mayWait) {
			Waiting.upTo(this.context.settings().shutdownTimeout(), released);
		}
	}

	private LockAttempt attemptAndWait(LockRequest request, boolean owned) {
		Waiting.checkMayWait(this.context.loop());
		LockPlan plan = notifyingPlan(request);
		return notifyEnd(plan, BlockingAttempt.until(begin(plan, Thread.currentThread(), owned)));
	}

	private PendingAttempt begin(LockPlan plan, @Nullable Thread thread, boolean owned) {
		this.lifecycle.openForFirstRequest();
		PendingAttempt pending = new PendingAttempt(this.context, this.queues, this.leases, plan, thread, owned);
		this.attempts.add(pending);
		pending.outcome().whenComplete((attempt, failure) -> this.attempts.remove(pending));
		pending.begin();
		return pending;
	}

	private CompletionStage<Inspection> inspect(LockPlan plan, List<LockNode> asked) {
		this.lifecycle.openForFirstRequest();
		CompletableFuture<Tally> votes = new CompletableFuture<>();
		Round round = new Round(asked, new Quorum(asked.size()).majority(), this.context.loop(), new Round.Listener() {
			@Override
			public void settled(Tally tally) {
				votes.complete(tally);
			}
		});
		String resource = plan.resources().iterator().next();
		String key = plan.keys().get(0);
		if (!this.context.loop().post(() -> round.ask(plan.nodeTimeout(), (node) -> node.inspect(key)))) {
			votes.complete(round.tally());
		}
		return votes.thenApplyAsync((tally) -> new Inspection(resource, tally.named()), this.context.callbacks());
	}

	private Optional<HeldLease> held(String resource) {
		String name = SafeNames.of(resource);
		return this.leases.stream().filter((lease) -> lease.isValid() && lease.resources().contains(name)).findFirst();
	}

	private LockPlan notifyingPlan(LockRequest request) {
		return plan(request, () -> RequestNotifier.of(request, this.context));
	}

	private LockPlan plan(LockRequest request, Supplier<RequestNotifier> notifier) {
		Tick tick = request.tick();
		// A node that loses the mark of a tick before the tick is due would vote on that
		// tick again.
		if (tick != null && !tick.isDue(this.context.ticker().epochMicros())) {
			throw new IllegalArgumentException(
					"The tick " + tick + " is not due yet by the clock of this process. Ask for the lock when it is.");
		}
		return LockPlan.of(request, this.context.settings(), this.nodes, notifier);
	}

	private static LockAttempt notifyEnd(LockPlan plan, LockAttempt attempt) {
		plan.notifier().ended(attempt);
		return attempt;
	}

	/**
	 * A builder for {@link Redlock}.
	 */
	public static final class Builder {

		private final List<LockNode> nodes;

		private RedlockSettings settings = RedlockSettings.DEFAULTS;

		private @Nullable Ticker ticker;

		private @Nullable EventLoop loop;

		private @Nullable RandomGenerator random;

		private @Nullable Executor callbacks;

		private List<RedlockListener> listeners = List.of();

		private Runnable connect = () -> {
		};

		private Runnable disconnect = () -> {
		};

		private Builder(List<? extends LockNode> nodes) {
			this.nodes = List.copyOf(nodes);
			long names = nodes.stream().map(LockNode::name).distinct().count();
			if (names == 0 || names < nodes.size()) {
				throw new IllegalArgumentException("A Redlock needs at least one node, each with a name of its own");
			}
		}

		/**
		 * Sets the defaults and limits of requests.
		 * @param settings the settings
		 * @return this builder
		 */
		public Builder settings(RedlockSettings settings) {
			this.settings = settings;
			return this;
		}

		/**
		 * Sets the clock.
		 * @param ticker the clock
		 * @return this builder
		 */
		public Builder ticker(Ticker ticker) {
			this.ticker = ticker;
			return this;
		}

		/**
		 * Sets the event loop, whose thread owns the state of the lock and runs its
		 * timers.
		 * @param loop the loop; several locks may share one
		 * @return this builder
		 */
		public Builder loop(EventLoop loop) {
			this.loop = loop;
			return this;
		}

		/**
		 * Sets the random generator for tokens and delays.
		 * @param random a thread-safe and unpredictable generator
		 * @return this builder
		 */
		public Builder random(RandomGenerator random) {
			this.random = random;
			return this;
		}

		/**
		 * Sets the executor that reports outcomes and losses. Actions that depend on the
		 * stages of requests and leases run there. If they block all of its threads, the
		 * reports behind them get threads of their own.
		 * @param callbacks the executor
		 * @return this builder
		 */
		public Builder callbacks(Executor callbacks) {
			this.callbacks = callbacks;
			return this;
		}

		/**
		 * Sets the listener for requests and leases.
		 * @param listener the listener, which must not block
		 * @return this builder
		 */
		public Builder listener(RedlockListener listener) {
			this.listeners = List.of(listener);
			return this;
		}

		/**
		 * Sets how the nodes are connected and disconnected, for nodes that are not
		 * always connected.
		 * @param connect runs before the first request, or when the lock is opened, and
		 * each time that a closed lock is opened again; may block for some seconds
		 * @param disconnect runs when the lock is closed, after its leases were released
		 * @return this builder
		 */
		public Builder connections(Runnable connect, Runnable disconnect) {
			this.connect = connect;
			this.disconnect = disconnect;
			return this;
		}

		/**
		 * Builds the lock.
		 * @return the lock
		 * @throws IllegalStateException if the clock, the loop, the randomness or the
		 * executor for callbacks is missing
		 */
		public Redlock build() {
			Ticker clock = given("ticker", this.ticker);
			EventLoop events = given("loop", this.loop);
			RandomGenerator randomness = given("random", this.random);
			Callbacks reports = new Callbacks(given("callbacks", this.callbacks));
			return new Redlock(this.nodes,
					new LockContext(this.settings, events, clock, randomness, reports,
							RedlockListener.all(this.listeners), new Tokens(randomness, this.settings.owner()),
							new FenceProposals(clock, this.settings), new Releases(clock, events), new RoundTimes()),
					new LockLifecycle(this.connect, this.disconnect));
		}

		private static <T> T given(String name, @Nullable T value) {
			if (value == null) {
				throw new IllegalStateException("A Redlock needs a " + name + ": set it on the builder");
			}
			return value;
		}

	}

}
