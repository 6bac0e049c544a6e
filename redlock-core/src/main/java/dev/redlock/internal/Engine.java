package dev.redlock.internal;

import java.time.Duration;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.redlock.Inspection;
import dev.redlock.Lease;
import dev.redlock.LeaseSnapshot;
import dev.redlock.LockAttempt;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.LossReason;
import dev.redlock.QuorumStatus;
import dev.redlock.Redlock;
import dev.redlock.RedlockListener;
import dev.redlock.RedlockSettings;
import dev.redlock.ReleaseResult;
import dev.redlock.Tick;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The implementation of {@link Redlock}, which documents the public methods. This class
 * is thread-safe.
 */
public final class Engine {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.lease");

	private final List<LockNode> nodes;

	private final LockContext context;

	private final KeyQueues queues;

	private final LockLifecycle lifecycle;

	/** The requests that have no outcome yet. */
	private final Set<PendingAttempt> attempts = ConcurrentHashMap.newKeySet();

	private final PermitSlots permitSlots;

	private final HeldLeases leases;

	/**
	 * Creates the implementation of one lock.
	 * @param nodes the nodes that vote
	 * @param settings the defaults and limits of requests
	 * @param loop the thread that owns all state
	 * @param ticker the clock
	 * @param random a thread-safe and unpredictable generator
	 * @param callbacks reports outcomes and losses
	 * @param listeners the listeners of the lock, to which others may be added later
	 * @param connect makes the nodes usable
	 * @param disconnect closes the connections that {@code connect} opened
	 */
	public Engine(List<LockNode> nodes, RedlockSettings settings, EventLoop loop, Ticker ticker, RandomGenerator random,
			Executor callbacks, List<RedlockListener> listeners, Runnable connect, Runnable disconnect) {
		this.nodes = nodes;
		Ticker clock = new ProcessClock(ticker, nodes);
		this.context = new LockContext(settings, loop, clock, random, new Callbacks(callbacks), listeners,
				new Tokens(random, settings.owner()), new FenceProposals(clock, settings), new Releases(clock, loop),
				new RoundTimes());
		this.queues = new KeyQueues(this.context);
		this.permitSlots = new PermitSlots(random);
		this.leases = new HeldLeases(loop);
		this.lifecycle = new LockLifecycle(connect, disconnect);
	}

	/**
	 * Releases a lease like {@link Lease#releaseAsync()}, because no work has begun under
	 * the lease. With {@link Tick#rerun()} the tick stays unmarked, so another owner may
	 * run the job for this tick.
	 * @return completes when each node has answered or its node timeout has passed
	 */
	public static CompletionStage<ReleaseResult> releaseUnused(Lease lease) {
		return (lease instanceof HeldLease held) ? held.releaseUnused() : lease.releaseAsync();
	}

	/**
	 * Closes leases at once, and then waits like {@link Lease#close()}. Leases of other
	 * classes are ignored.
	 */
	public static void closeAll(List<Lease> leases) {
		HeldLease.closeAll(leases.stream().filter(HeldLease.class::isInstance).map(HeldLease.class::cast).toList());
	}

	/**
	 * Requests a lock without blocking.
	 * @param request what to lock, and how
	 * @return completes with the outcome of the request
	 */
	public CompletionStage<LockAttempt> attempt(LockRequest request) {
		CompletableFuture<LockAttempt> asked = new CompletableFuture<>();
		PendingAttempt pending = begin(notifyingPlan(request), null, false);
		pending.outcome().thenAcceptAsync((attempt) -> {
			notifyEnd(pending.plan(), attempt);
			if (!asked.complete(attempt)) {
				attempt.lease().ifPresent(Engine::releaseUnused);
			}
		}, this.context.callbacks());
		asked.whenComplete((attempt, failure) -> {
			// If the request has no outcome yet, the caller has cancelled the stage.
			if (!pending.outcome().isDone()) {
				pending.giveUp(Reason.INTERRUPTED);
			}
		});
		return asked;
	}

	/**
	 * Requests a lock, and blocks the thread while the request waits.
	 * @param request what to lock, and how
	 * @param owned whether renewal of the lease stops when the calling thread ends
	 */
	public LockAttempt attemptAndWait(LockRequest request, boolean owned) {
		Waiting.checkMayWait(this.context.loop());
		LockPlan plan = notifyingPlan(request);
		return notifyEnd(plan, BlockingAttempt.until(begin(plan, Thread.currentThread(), owned)));
	}

	/**
	 * Asks the nodes of a request what they know about its resource.
	 * @param request a request for one resource; without instances, the nodes of the
	 * lease of this process on the resource are asked, or all nodes
	 * @return completes when each node has answered or its node timeout has passed
	 */
	public CompletionStage<Inspection> inspect(LockRequest request) {
		LockPlan plan = inspected(request);
		return ask(plan, nodesFor(request, plan), (node) -> node.inspect(plan.keys().get(0)))
			.thenApply((tally) -> new Inspection(nameOf(plan), tally.named()));
	}

	/**
	 * Asks the nodes what they know about each permit of a name. This process may know
	 * the number of permits from its own requests. If the number is unknown, the label of
	 * the owner of the first permit contains it.
	 * @param request a request for one resource
	 * @return completes when each node has answered or timed out; empty if no permits of
	 * the name are known
	 */
	public CompletionStage<List<Inspection>> inspectPermits(LockRequest request) {
		LockPlan plan = inspected(request);
		List<LockNode> asked = nodesFor(request, plan);
		int known = Stream
			.concat(this.leases.stream().map(HeldLease::plan), this.attempts.stream().map(PendingAttempt::plan))
			.filter((own) -> own.resources().equals(plan.resources()))
			.mapToInt(LockPlan::permits)
			.max()
			.orElse(0);
		return (known > 0) ? inspectPermits(plan, asked, known) : inspectPermits(plan, asked, 1)
			.thenCompose((first) -> inspectPermits(plan, asked, Tokens.permits(first.get(0).holder().orElse(null))));
	}

	private CompletionStage<List<Inspection>> inspectPermits(LockPlan plan, List<LockNode> asked, int permits) {
		int most = Math.min(permits, LockRequest.MOST_PERMITS);
		if (most == 0) {
			return CompletableFuture.completedStage(List.of());
		}
		List<String> keys = plan.slotKeys(most);
		return ask(plan, asked, (node) -> node.inspectAll(keys)).thenApply((tally) -> IntStream.range(0, most)
			.mapToObj((i) -> new Inspection(nameOf(plan) + LockPlan.suffix(i + 1), tally.of(i).named()))
			.toList());
	}

	/**
	 * Checks that a request is possible.
	 * @param request what to lock, and how
	 * @throws IllegalArgumentException if the request is not possible
	 */
	public void check(LockRequest request) {
		plan(request, () -> RequestNotifier.SILENT);
	}

	/**
	 * Returns the settings of the lock.
	 */
	public RedlockSettings settings() {
		return this.context.settings();
	}

	/**
	 * Returns the nodes that vote.
	 */
	public List<LockNode> nodes() {
		return this.nodes;
	}

	/**
	 * Returns the leases that this process holds now.
	 * @return the leases, sorted by their resources
	 */
	public List<LeaseSnapshot> leases() {
		return this.leases.stream()
			.filter(Lease::isValid)
			.map(HeldLease::snapshot)
			.sorted(Comparator.comparing((lease) -> lease.resources().toString()))
			.toList();
	}

	/**
	 * Returns the number of requests that are waiting for each resource.
	 * @return the numbers by resource name
	 */
	public SortedMap<String, Integer> waiters() {
		return this.attempts.stream()
			.flatMap((pending) -> pending.plan().resources().stream())
			.collect(Collectors.toMap(Function.identity(), (resource) -> 1, Integer::sum, TreeMap::new));
	}

	/**
	 * Takes a lease away from its holder and releases it on the nodes.
	 * @param name one of the names in its {@link Lease#resources()}, or its permit
	 * @return completes with the result of the release, empty without such a lease
	 */
	public Optional<CompletionStage<ReleaseResult>> revoke(String name) {
		return held(name).map((lease) -> lease.revoke(LossReason.REVOKED));
	}

	/**
	 * Returns whether the lock was closed and not opened again.
	 * @return true if requests fail
	 */
	public boolean isClosed() {
		return this.lifecycle.isClosed();
	}

	/**
	 * Opens the lock, even after it was closed.
	 */
	public void open() {
		this.lifecycle.open(() -> {
			if (!this.context.loop().post(this.queues::open)) {
				throw new IllegalStateException("Locks cannot be started again in this process, because the event "
						+ "loop of the lock has ended");
			}
		});
	}

	/**
	 * Ends all requests and leases, and disconnects the nodes.
	 */
	public void close() {
		this.lifecycle.close(this::endAll);
	}

	KeyQueues queues() {
		return this.queues;
	}

	private void endAll() {
		CompletableFuture<Void> released = new CompletableFuture<>();
		Duration longest = this.context.settings().shutdownTimeout();
		boolean mayWait = !longest.isZero() && !this.context.loop().inLoop();
		boolean posted = this.context.loop().post(() -> {
			if (this.queues.isClosed()) {
				// An earlier call has waited for the releases.
				released.complete(null);
			}
			this.queues.close();
			this.attempts.forEach((pending) -> pending.giveUp(Reason.SHUTTING_DOWN));
			this.leases.stream().forEach(HeldLease::shutDown);
			// This code runs as an event of its own, after the events that the calls
			// above have caused.
			this.context.loop().execute(() -> {
				this.context.releases().whenDone(() -> released.complete(null));
				List<String> failed = this.context.releases().failedOn();
				if (mayWait && !released.isDone() && !failed.isEmpty()) {
					logger.info("The shutdown waits up to {} ms for the nodes {} to confirm that locks are released",
							longest.toMillis(), failed);
				}
			});
		});
		if (!posted) {
			this.attempts.forEach((pending) -> pending.giveUp(Reason.SHUTTING_DOWN));
		}
		else if (mayWait) {
			Waiting.upTo(longest, released);
		}
	}

	private PendingAttempt begin(LockPlan plan, @Nullable Thread thread, boolean owned) {
		PendingAttempt pending = new PendingAttempt(this.context, this.queues, this.leases, this.permitSlots, plan,
				thread, owned);
		this.attempts.add(pending);
		pending.outcome().whenComplete((attempt, failure) -> this.attempts.remove(pending));
		pending.begin();
		return pending;
	}

	private LockPlan inspected(LockRequest request) {
		if (request.resources().size() > 1) {
			throw new IllegalArgumentException("One call can inspect only one resource, not " + request.resources());
		}
		return plan(request, () -> RequestNotifier.SILENT);
	}

	/**
	 * Asks the nodes, and completes the result with the votes of all nodes.
	 */
	private CompletionStage<Tally> ask(LockPlan plan, List<LockNode> asked,
			Function<LockNode, CompletionStage<Vote>> operation) {
		this.lifecycle.openForFirstRequest();
		CompletableFuture<Tally> votes = new CompletableFuture<>();
		Round round = new Round(asked, QuorumStatus.majorityOf(asked.size()), this.context.loop(),
				new Round.Listener() {
					@Override
					public void settled(Tally tally) {
						votes.complete(tally);
					}
				});
		if (!this.context.loop().post(() -> round.ask(plan.nodeTimeout(), operation))) {
			votes.complete(round.tally());
		}
		return votes.thenApplyAsync((tally) -> tally, this.context.callbacks());
	}

	/**
	 * Returns the instances of a request. Without instances, returns the nodes of the
	 * lease of this process on the resource, or all nodes.
	 */
	private List<LockNode> nodesFor(LockRequest request, LockPlan plan) {
		return request.instances().isEmpty()
				? held(nameOf(plan)).map((lease) -> lease.plan().nodes()).orElse(this.nodes) : plan.nodes();
	}

	private Optional<HeldLease> held(String name) {
		return this.leases.stream()
			.filter((lease) -> lease.isValid()
					&& (lease.resources().contains(name) || name.equals(lease.plan().permit())))
			.findFirst();
	}

	private LockPlan notifyingPlan(LockRequest request) {
		return plan(request, () -> {
			this.lifecycle.openForFirstRequest();
			return RequestNotifier.of(request, this.context);
		});
	}

	private LockPlan plan(LockRequest request, Supplier<RequestNotifier> notifier) {
		Tick tick = request.tick();
		// A node that loses the mark of a tick before the tick is due could grant that
		// tick a second time.
		if (tick != null && !tick.isDue(this.context.ticker().epochMicros())) {
			throw new IllegalArgumentException("The tick " + tick
					+ " is not due yet by the clock of this process. Request the lock when the tick is due.");
		}
		return LockPlan.of(request, this.context.settings(), this.nodes, notifier);
	}

	private static String nameOf(LockPlan plan) {
		return plan.resources().iterator().next();
	}

	private static LockAttempt notifyEnd(LockPlan plan, LockAttempt attempt) {
		plan.notifier().ended(attempt);
		return attempt;
	}

}
