package dev.redlock;

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

import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.spi.LockNode;
import org.jspecify.annotations.Nullable;

/**
 * A distributed lock over independent nodes, held only while a majority has granted it.
 * <p>
 * One object serves a whole application; it is thread-safe. What hangs on the stages that
 * it returns runs on the executor for callbacks.
 */
public final class Redlock implements AutoCloseable {

	private final List<LockNode> nodes;

	private final LockContext context;

	private final KeyQueues queues;

	/** Added to and taken from by the loop, and read by all. */
	private final Set<PendingAttempt> attempts = ConcurrentHashMap.newKeySet();

	/** As the attempts; a lease is also taken from it by the thread that ends it. */
	private final Set<HeldLease> leases = ConcurrentHashMap.newKeySet();

	private volatile boolean closed;

	Redlock(List<LockNode> nodes, LockContext context) {
		this.nodes = nodes;
		this.context = context;
		this.queues = new KeyQueues(context);
	}

	/**
	 * Starts to build a lock over the given nodes.
	 * @param nodes the independent nodes that vote
	 * @return the builder
	 */
	public static RedlockBuilder over(List<? extends LockNode> nodes) {
		return new RedlockBuilder(nodes);
	}

	/**
	 * The asynchronous door to everything: asks for a lock, and waits for it as the
	 * request says. Cancelling the future gives up, and leaves nothing behind.
	 * @param request what to lock, and how
	 * @return completes with how the request ended, never exceptionally but by
	 * cancellation
	 */
	public CompletionStage<LockAttempt> attempt(LockRequest request) {
		CompletableFuture<LockAttempt> asked = new CompletableFuture<>();
		PendingAttempt pending = begin(notifyingPlan(request), null, false);
		pending.outcome().thenAcceptAsync((attempt) -> {
			notifyEnd(pending.plan(), attempt);
			if (!asked.complete(attempt)) {
				attempt.lease().ifPresent(Lease::releaseAsync);
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
	 * Asks for a lock, and blocks the thread while waiting for it as the request says.
	 * When the thread is interrupted the attempt ends as
	 * {@link LockNotAcquiredException.Reason#INTERRUPTED}, and the interrupt flag is set
	 * again. Renewal of the lease ends with this thread. A thread that has not closed
	 * such a lease does not wait for it when it asks for the same lock again: that is
	 * {@link LockNotAcquiredException.Reason#HELD} at once. Use {@link #attempt} to wait
	 * for another thread that is to close it.
	 * @param request what to lock, and how
	 * @return how the request ended
	 */
	public LockAttempt attemptAndWait(LockRequest request) {
		return attemptAndWait(request, true);
	}

	/**
	 * As {@link #attemptAndWait}, for callers that release the lease whatever happens, or
	 * pass it on to who does: its renewal does not end with this thread.
	 * @param request what to lock, and how
	 * @return how the request ended
	 */
	public LockAttempt attemptInScope(LockRequest request) {
		return attemptAndWait(request, false);
	}

	/**
	 * Goes on with a lease that another process handed over. The fence stays; the ttl is
	 * that of the settings, from now. Of two who come with the same ticket, at most one
	 * gets the lease. If nobody does, it is released.
	 * @param ticket what {@link Lease#handOver()} returned
	 * @return completes with the lease, or with the reason why there is none
	 * @throws IllegalArgumentException if this is not a ticket, or it names instances
	 * that are not configured here
	 */
	public CompletionStage<LockAttempt> takeUp(String ticket) {
		Ticket decoded = Ticket.decode(ticket);
		LockRequest request = LockRequest.of(decoded.resources().toArray(String[]::new))
			.withInstances(decoded.nodes().toArray(String[]::new))
			.withOrigin("take-up");
		LockPlan plan = notifyingPlan(request);
		if (this.closed) {
			return CompletableFuture.completedStage(notifyEnd(plan,
					LockAttempt.failed(plan.resources(), Reason.SHUTTING_DOWN, List.of(), 0, Duration.ZERO)));
		}
		return new TakeUp(this.context, this.queues, this.leases, plan, decoded).run()
			.thenApplyAsync((attempt) -> notifyEnd(plan, attempt), this.context.callbacks());
	}

	/**
	 * Asks nodes what they know about a resource: those that granted the lease which this
	 * process holds, else all. For people and dashboards: it may be otherwise by the time
	 * the answer is read.
	 * @param resource the name of what may be locked
	 * @return completes when each node has answered or timed out
	 */
	public CompletionStage<Inspection> inspect(String resource) {
		LockPlan plan = plan(LockRequest.of(resource));
		return new InspectionRound(this.context, plan,
				held(resource).map((lease) -> lease.plan().nodes()).orElse(this.nodes))
			.run(resource);
	}

	/**
	 * Asks the nodes that a request would ask what they know about its resource.
	 * @param request names one resource and, where not all of them vote for it, the
	 * instances
	 * @return completes when each node has answered or timed out
	 * @throws IllegalArgumentException if it names several resources, or instances that
	 * do not exist
	 */
	public CompletionStage<Inspection> inspect(LockRequest request) {
		if (request.resources().size() > 1) {
			throw new IllegalArgumentException("Inspect one resource at a time, not " + request.resources());
		}
		LockPlan plan = plan(request);
		return new InspectionRound(this.context, plan, plan.nodes()).run(request.resources().iterator().next());
	}

	/**
	 * Checks that a request could succeed: its ttl fits the settings and its instances
	 * exist.
	 * @param request what to lock, and how
	 * @throws IllegalArgumentException if it could not, with what to change
	 */
	public void check(LockRequest request) {
		plan(request);
	}

	/**
	 * The settings of this lock.
	 * @return the settings
	 */
	public RedlockSettings settings() {
		return this.context.settings();
	}

	/**
	 * The nodes that vote.
	 * @return the nodes, in the order of their configuration
	 */
	public List<LockNode> nodes() {
		return this.nodes;
	}

	/**
	 * Whether enough nodes may vote. Asks no node: it is what is known of them now.
	 * @return the status
	 */
	public QuorumStatus quorum() {
		return QuorumStatus.of(this.nodes);
	}

	/**
	 * The leases that this process holds now.
	 * @return the leases, by name and without their tokens
	 */
	public List<LeaseSnapshot> leases() {
		return this.leases.stream()
			.filter(Lease::isValid)
			.map(LeaseSnapshot::of)
			.sorted(Comparator.comparing((lease) -> lease.resources().toString()))
			.toList();
	}

	/**
	 * How many requests of this process are waiting for each resource now.
	 * @return the numbers, by the names of resources, in their order
	 */
	public SortedMap<String, Integer> waiters() {
		SortedMap<String, Integer> waiters = new TreeMap<>();
		for (PendingAttempt pending : this.attempts) {
			pending.plan().resources().forEach((resource) -> waiters.merge(resource, 1, Integer::sum));
		}
		return waiters;
	}

	/**
	 * Takes a lease of this process away from its holder. The holder is told of the loss
	 * ({@link LossReason#REVOKED}), and the nodes are told to forget it. For operators:
	 * work that does not heed the loss goes on, without a lock.
	 * @param resource the name of what is locked; a lease on several ends as a whole
	 * @return completes with what became of the release when each node has answered or
	 * timed out; empty if this process holds no lease on the resource
	 */
	public Optional<CompletionStage<ReleaseResult>> revoke(String resource) {
		return held(resource).map((lease) -> lease.revoke(LossReason.REVOKED));
	}

	/**
	 * Refuses new requests, ends those that wait, and releases what is held, within the
	 * shutdown timeout of the settings. Further calls do nothing.
	 */
	@Override
	public void close() {
		this.closed = true;
		CompletableFuture<Void> released = new CompletableFuture<>();
		boolean mayWait = !this.context.loop().inLoop();
		boolean posted = this.context.loop().post(() -> {
			this.queues.close();
			this.attempts.forEach((pending) -> pending.giveUp(Reason.SHUTTING_DOWN));
			this.leases.forEach((lease) -> lease.revoke(LossReason.SHUT_DOWN));
			// Behind what the lines before have caused.
			this.context.loop().execute(() -> this.context.releases().whenDone(() -> released.complete(null)));
		});
		if (!posted) {
			this.attempts.forEach((pending) -> pending.giveUp(Reason.SHUTTING_DOWN));
		}
		else if (mayWait) {
			Waiting.upTo(this.context.settings().shutdownTimeout(), released);
		}
	}

	/**
	 * The queues of the requests that wait here.
	 */
	KeyQueues queues() {
		return this.queues;
	}

	private LockAttempt attemptAndWait(LockRequest request, boolean owned) {
		Waiting.checkMayWait(this.context.loop());
		LockPlan plan = notifyingPlan(request);
		return notifyEnd(plan, BlockingAttempt.until(begin(plan, Thread.currentThread(), owned)));
	}

	private PendingAttempt begin(LockPlan plan, @Nullable Thread thread, boolean owned) {
		PendingAttempt pending = new PendingAttempt(this.context, this.queues, this.leases, plan, thread, owned);
		this.attempts.add(pending);
		pending.outcome().whenComplete((attempt, failure) -> this.attempts.remove(pending));
		pending.begin();
		return pending;
	}

	private Optional<HeldLease> held(String resource) {
		return this.leases.stream()
			.filter((lease) -> lease.isValid() && lease.resources().contains(resource))
			.findFirst();
	}

	private LockPlan plan(LockRequest request) {
		return LockPlan.of(request, this.context.settings(), this.nodes, null);
	}

	private LockPlan notifyingPlan(LockRequest request) {
		// First a plan, since a request that is refused is of no interest to listeners.
		LockPlan plan = plan(request);
		RequestNotifier notifier = RequestNotifier.of(request, this.context);
		return (notifier != null) ? LockPlan.of(request, this.context.settings(), this.nodes, notifier) : plan;
	}

	private static LockAttempt notifyEnd(LockPlan plan, LockAttempt attempt) {
		RequestNotifier notifier = plan.notifier();
		if (notifier != null) {
			notifier.ended(attempt);
		}
		return attempt;
	}

}
