package dev.redlock.spring.internal.lease;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import dev.redlock.Lease;
import dev.redlock.LockLostAfterCommitException;
import dev.redlock.LockLostException;
import dev.redlock.LockRequest;
import dev.redlock.LossPolicy;
import dev.redlock.LossReason;
import dev.redlock.ReleaseResult;
import dev.redlock.internal.client.Engine;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease under which a callback or a locked method runs: a {@link GrantedLease}, or a
 * {@link NestedLease} that uses one.
 */
public abstract class BoundLease extends LeaseView {

	static final Logger logger = LoggerFactory.getLogger("dev.redlock.lease");

	/**
	 * How many uses of this lease have not ended. The call that created the lease, each
	 * nested call that re-entered it, the transaction that keeps it, a caller that closes
	 * it itself, and each coroutine that keeps it have one use each.
	 */
	private final AtomicInteger openUses = new AtomicInteger(1);

	/**
	 * The leases of running and waiting nested calls, in the order in which the calls
	 * began to wait.
	 */
	private final Queue<NestedLease> nestedLeases = new ConcurrentLinkedQueue<>();

	private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

	private volatile UnaryOperator<List<String>> resolver = UnaryOperator.identity();

	BoundLease(Set<String> names, Lease lease, @Nullable Lease own) {
		super(names, List.of(lease), own);
	}

	/**
	 * Returns this lease, or the one that this nested lease uses.
	 */
	public abstract GrantedLease granted();

	/**
	 * Returns the granted lease to release; null if it has other uses, or is only lent.
	 */
	abstract @Nullable GrantedLease afterLastUse();

	@Override
	public List<BoundLease> bound() {
		return List.of(this);
	}

	@Override
	public void close() {
		rememberValidity();
		super.close();
	}

	@Override
	public CompletionStage<ReleaseResult> releaseAsync() {
		rememberValidity();
		return super.releaseAsync();
	}

	/**
	 * Lets each nested call begin that shares no name with an earlier nested call under
	 * this lease.
	 */
	private void admitNextCalls() {
		Set<String> needed = new HashSet<>();
		for (NestedLease nested : this.nestedLeases) {
			if (Collections.disjoint(needed, nested.resources())) {
				nested.admit();
			}
			if (!(granted() instanceof LentLease)) {
				needed.addAll(nested.resources());
			}
		}
	}

	boolean hasNestedCalls() {
		return !this.nestedLeases.isEmpty();
	}

	public boolean isClosed() {
		return this.state.get() != State.OPEN;
	}

	/**
	 * Adds one use of this lease, or returns false if the lease is being released
	 * already. A lease is released when its last use ends.
	 */
	public boolean addUse() {
		return this.openUses.getAndUpdate((count) -> (count > 0) ? count + 1 : 0) > 0;
	}

	/**
	 * A failed release is only logged, so that the caller still gets the result or the
	 * exception of the callback.
	 */
	public static void endUses(List<? extends BoundLease> leases) {
		List<GrantedLease> over = leases.stream().flatMap((lease) -> Stream.ofNullable(lease.endUse())).toList();
		try {
			if (over.size() > 1) {
				Engine.closeAll(over.stream().map(GrantedLease::delegate).toList());
			}
			over.forEach(BoundLease::close);
		}
		catch (RuntimeException ex) {
			over.forEach((lease) -> lease.logNotReleased(ex));
		}
	}

	/**
	 * @return completes when the release has ended; never fails, because a failed release
	 * is only logged
	 */
	public CompletableFuture<?> endUseAsync() {
		GrantedLease over = endUse();
		return (over != null) ? over.releaseLogged() : CompletableFuture.completedFuture(null);
	}

	final @Nullable GrantedLease endUse() {
		if (this.openUses.decrementAndGet() != 0) {
			return null;
		}
		rememberValidity();
		return afterLastUse();
	}

	void addNested(NestedLease nested) {
		this.nestedLeases.add(nested);
		admitNextCalls();
	}

	boolean removeNested(NestedLease nested) {
		boolean removed = this.nestedLeases.remove(nested);
		admitNextCalls();
		return removed;
	}

	/**
	 * Tells this lease how the names of its call's annotation were changed.
	 * @param resolver returns the locked names for names of the annotation
	 */
	public void resolveNames(UnaryOperator<List<String>> resolver) {
		this.resolver = resolver;
		granted().latestResolver = resolver;
	}

	/**
	 * Returns the locked names that a name of the annotation may have, those for the call
	 * of this lease first. Leaves out a name that became several.
	 */
	public Stream<String> resolved(String name) {
		return Stream.of(this.resolver, granted().latestResolver)
			.map((each) -> each.apply(List.of(name)))
			.filter((names) -> names.size() == 1)
			.flatMap((names) -> LockRequest.of(names.get(0)).resources().stream());
	}

	/**
	 * Returns why this lease was lost; empty if the lease is valid, or was valid until
	 * its release.
	 */
	public Optional<LossReason> lossReason() {
		return granted().lossReason();
	}

	/**
	 * Creates a {@link LockLostAfterCommitException} if a transaction has committed under
	 * one of the leases, because a retry could repeat that transaction.
	 */
	public static LockLostException lossException(Lease lease, LossReason reason, List<? extends Lease> around) {
		return bound(around).anyMatch((each) -> each.granted().committed)
				? new LockLostAfterCommitException(lease.resources(), reason)
				: new LockLostException(lease.resources(), reason);
	}

	/**
	 * Remembers a commit, because a retry of the outermost call could repeat the
	 * committed transaction.
	 */
	public void markCommitted() {
		granted().committed = true;
	}

	public void logUnreportedLoss(LossReason reason, String why) {
		logger.atWarn()
			.addKeyValue("redlock.resources", resources())
			.addKeyValue("redlock.reason", reason)
			.log("{}: {}", why, new LockLostException(resources(), reason).getMessage());
	}

	/**
	 * Returns why this lease was lost; with {@link LossPolicy#IGNORE}, a loss is only
	 * logged and not returned. All calls under a granted lease log its loss once.
	 */
	public Optional<LossReason> lossToReport(LossPolicy policy) {
		Optional<LossReason> loss = lossReason();
		if (policy != LossPolicy.IGNORE) {
			return loss;
		}
		loss.filter((ignored) -> granted().lossIgnored.compareAndSet(false, true))
			.ifPresent((ignored) -> granted().logUnreportedLoss(ignored, "Ignored as asked"));
		return Optional.empty();
	}

	final void rememberValidity() {
		this.state.compareAndSet(State.OPEN, isValid() ? State.CLOSED_IN_TIME : State.CLOSED_TOO_LATE);
	}

	boolean isClosedInTime() {
		return this.state.get() == State.CLOSED_IN_TIME;
	}

	private enum State {

		OPEN, CLOSED_IN_TIME, CLOSED_TOO_LATE

	}

}
