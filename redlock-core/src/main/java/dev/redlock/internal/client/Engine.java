package dev.redlock.internal.client;

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
import dev.redlock.internal.lease.HeldLease;
import dev.redlock.internal.lease.HeldLeases;
import dev.redlock.internal.plan.LockPlan;
import dev.redlock.internal.plan.ProcessClock;
import dev.redlock.internal.plan.RequestNotifier;
import dev.redlock.internal.plan.Tokens;
import dev.redlock.internal.request.BlockingAttempt;
import dev.redlock.internal.request.PendingAttempt;
import dev.redlock.internal.vote.Callbacks;
import dev.redlock.internal.vote.FenceProposals;
import dev.redlock.internal.vote.LockContext;
import dev.redlock.internal.vote.Permits;
import dev.redlock.internal.vote.Releases;
import dev.redlock.internal.vote.Round;
import dev.redlock.internal.vote.RoundTimes;
import dev.redlock.internal.vote.Tally;
import dev.redlock.internal.waiting.KeyQueues;
import dev.redlock.internal.waiting.Waiting;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * Implements {@link Redlock}, which documents the public methods. Thread-safe.
 */
public final class Engine {

	private final List<LockNode> nodes;

	private final LockContext context;

	private final KeyQueues queues;

	private final ClientLifecycle lifecycle;

	private final Set<PendingAttempt> attempts = ConcurrentHashMap.newKeySet();

	private final HeldLeases leases;

	/**
	 * Creates the implementation of one {@link Redlock}.
	 * @param random a thread-safe generator of unpredictable numbers, which become tokens
	 * of locks
	 * @param listeners the listeners of the lock; the caller may add listeners to this
	 * list later
	 */
	public Engine(List<LockNode> nodes, RedlockSettings settings, EventLoop loop, Ticker ticker, RandomGenerator random,
			Executor callbacks, List<RedlockListener> listeners, Runnable connect, Runnable disconnect) {
		this.nodes = nodes;
		Ticker clock = new ProcessClock(ticker, nodes);
		this.context = new LockContext(settings, loop, clock, random, new Callbacks(callbacks), listeners,
				new Tokens(random, settings.owner()), new FenceProposals(clock, settings), new Releases(clock, loop),
				new RoundTimes(), new Permits(loop, random));
		this.queues = new KeyQueues(this.context);
		this.leases = new HeldLeases(loop);
		this.lifecycle = new ClientLifecycle(connect, disconnect);
	}

	/**
	 * Releases a lease before the locked code has started. A job with
	 * {@link Tick#rerun()} is not marked as run, so another process may run it for the
	 * same due time.
	 */
	public static CompletionStage<ReleaseResult> releaseUnused(Lease lease) {
		return (lease instanceof HeldLease held) ? held.releaseUnused() : lease.releaseAsync();
	}

	/**
	 * Returns whether a detached lease would still be valid.
	 */
	public static boolean wouldBeValid(Lease detached) {
		return !(detached instanceof HeldLease held) || held.wouldBeValid();
	}

	/**
	 * Releases a detached lease, so that its ticket does not work.
	 */
	public static void takeBack(Lease detached) {
		if (detached instanceof HeldLease held) {
			held.takeBack();
		}
	}

	/**
	 * Notes that the work under a lease may go on after the call that acquired the lease
	 * has returned, so that a shutdown on the calling thread waits for that work.
	 */
	public static void outliveCall(Lease lease) {
		if (lease instanceof HeldLease held) {
			held.outliveCall();
		}
	}

	/**
	 * Releases all leases at once, and then waits for the releases like
	 * {@link Lease#close()}.
	 */
	public static void closeAll(List<Lease> leases) {
		HeldLease.closeAll(leases.stream().filter(HeldLease.class::isInstance).map(HeldLease.class::cast).toList());
	}

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
			// If the request has no outcome yet, the caller has cancelled the returned
			// stage.
			if (!pending.outcome().isDone()) {
				pending.cancel(Reason.INTERRUPTED);
			}
		});
		return asked;
	}

	/**
	 * Requests a lock, and blocks the calling thread until the request ends.
	 * @param owned whether renewal of the lease stops when the calling thread ends
	 */
	public LockAttempt attemptAndWait(LockRequest request, boolean owned) {
		Waiting.checkNotInLoop(this.context.loop());
		LockPlan plan = notifyingPlan(request);
		return notifyEnd(plan, BlockingAttempt.until(begin(plan, Thread.currentThread(), owned)));
	}

	public CompletionStage<Inspection> inspect(LockRequest request) {
		LockPlan plan = inspected(request);
		return ask(plan, nodesFor(request, plan), (node) -> node.inspect(plan.keys().get(0)))
			.thenApply((tally) -> new Inspection(nameOf(plan), tally.named()));
	}

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
			.mapToObj((i) -> new Inspection(nameOf(plan) + LockPlan.permitSuffix(i + 1), tally.of(i).named()))
			.toList());
	}

	public void check(LockRequest request) {
		plan(request, () -> RequestNotifier.SILENT).checkMaxHold();
	}

	public RedlockSettings settings() {
		return this.context.settings();
	}

	public List<LockNode> nodes() {
		return this.nodes;
	}

	public List<LeaseSnapshot> leases() {
		return this.leases.stream()
			.filter(Lease::isValid)
			.map(HeldLease::snapshot)
			.sorted(Comparator.comparing((lease) -> lease.resources().toString()))
			.toList();
	}

	public SortedMap<String, Integer> waiters() {
		return this.attempts.stream()
			.filter((pending) -> !pending.plan().standby())
			.flatMap((pending) -> pending.plan().resources().stream())
			.collect(Collectors.toMap(Function.identity(), (resource) -> 1, Integer::sum, TreeMap::new));
	}

	public Optional<CompletionStage<ReleaseResult>> revoke(String name) {
		return held(name).map((lease) -> lease.revoke(LossReason.REVOKED));
	}

	public boolean isClosed() {
		return this.lifecycle.isClosed();
	}

	public void open() {
		Waiting.uninterruptiblyUpTo(longestClose(), this.lifecycle.closed().handle((nothing, failure) -> nothing));
		this.lifecycle.open(() -> {
			if (!this.context.loop().post(this.queues::open)) {
				throw new IllegalStateException(
						"This Redlock cannot start again, because its event loop has ended. Build a new Redlock.");
			}
		});
	}

	public void close() {
		CompletableFuture<Void> closed = closeAsync();
		if (!this.context.loop().inLoop()) {
			Waiting.uninterruptiblyUpTo(longestClose(), closed);
		}
	}

	public CompletableFuture<Void> closeAsync() {
		Thread closing = Thread.currentThread();
		return this.lifecycle.close(() -> drain(closing), this.context.callbacks());
	}

	KeyQueues queues() {
		return this.queues;
	}

	private Duration longestClose() {
		return this.context.settings().shutdownTimeout().plus(Drain.longestForReleases(this.context)).plusSeconds(1);
	}

	private CompletableFuture<Void> drain(Thread closing) {
		Drain drain = new Drain(this.context, this.leases, closing);
		boolean posted = this.context.loop().post(() -> {
			this.queues.close();
			endRequests();
			drain.start();
		});
		if (!posted) {
			endRequests();
			drain.ended().complete(null);
		}
		return drain.ended().thenRunAsync(drain::report, this.context.callbacks());
	}

	private void endRequests() {
		this.attempts.forEach((pending) -> pending.cancel(Reason.SHUTTING_DOWN));
	}

	private PendingAttempt begin(LockPlan plan, @Nullable Thread thread, boolean owned) {
		PendingAttempt pending = new PendingAttempt(this.context, this.queues, this.leases, plan, thread, owned);
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

	private CompletionStage<Tally> ask(LockPlan plan, List<LockNode> asked,
			Function<LockNode, CompletionStage<Vote>> operation) {
		this.lifecycle.openForFirstRequest();
		CompletableFuture<Tally> votes = new CompletableFuture<>();
		Round round = new Round(asked, QuorumStatus.majorityOf(asked.size()), this.context.loop(), (tally) -> false,
				votes::complete);
		if (!this.context.loop().post(() -> round.ask(plan.nodeTimeout(), operation))) {
			votes.complete(round.tally());
		}
		return votes.thenApplyAsync((tally) -> tally, this.context.callbacks());
	}

	/**
	 * If the request names no nodes, returns the nodes of this process's lease on the
	 * resource, or all nodes.
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
			return RequestNotifier.of(request, this.context.listeners(), this.context.callbacks());
		});
	}

	private LockPlan plan(LockRequest request, Supplier<RequestNotifier> notifier) {
		Tick tick = request.tick();
		// A node that has lost its data assumes that no process has run a job this early.
		if (tick != null && !tick.isDue(this.context.ticker().epochMicros())) {
			throw new IllegalArgumentException("The job is not due yet by the clock of this process: " + tick
					+ ". Request the lock when the job is due.");
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
