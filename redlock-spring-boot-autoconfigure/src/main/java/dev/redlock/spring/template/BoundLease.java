package dev.redlock.spring.template;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import dev.redlock.Lease;
import dev.redlock.LockLostException;
import dev.redlock.LossReason;
import dev.redlock.Redlock;
import dev.redlock.ReleaseResult;
import org.jspecify.annotations.Nullable;

/**
 * A lease that work runs under. It knows which lock it is of, so that only calls through
 * the same lock re-enter, and it is released when the last work under it is done.
 */
final class BoundLease implements Lease {

	private final Redlock owner;

	private final Lease delegate;

	private final AtomicInteger works = new AtomicInteger(1);

	private final AtomicReference<Closing> closing = new AtomicReference<>(Closing.NOT_YET);

	BoundLease(Redlock owner, Lease delegate) {
		this.owner = owner;
		this.delegate = delegate;
	}

	@Override
	public Set<String> resources() {
		return this.delegate.resources();
	}

	@Override
	public String token() {
		return this.delegate.token();
	}

	@Override
	public long fence() {
		return this.delegate.fence();
	}

	@Override
	public Duration remaining() {
		return this.delegate.remaining();
	}

	@Override
	public boolean isValid() {
		return this.delegate.isValid();
	}

	@Override
	public boolean extend(Duration ttl) {
		return this.delegate.extend(ttl);
	}

	@Override
	public CompletionStage<Boolean> extendAsync(Duration ttl) {
		return this.delegate.extendAsync(ttl);
	}

	@Override
	public CompletionStage<LossReason> lost() {
		return this.delegate.lost();
	}

	/**
	 * Who hands a lease over while it is valid has not lost it.
	 */
	@Override
	public String handOver() {
		String ticket = this.delegate.handOver();
		this.closing.compareAndSet(Closing.NOT_YET, Closing.IN_TIME);
		return ticket;
	}

	@Override
	public void close() {
		rememberValidity();
		this.delegate.close();
	}

	@Override
	public CompletionStage<ReleaseResult> releaseAsync() {
		rememberValidity();
		return this.delegate.releaseAsync();
	}

	/**
	 * The names only: the token is a secret.
	 */
	@Override
	public String toString() {
		return "Lease" + resources();
	}

	boolean isOf(Redlock lock) {
		return this.owner == lock;
	}

	boolean isClosed() {
		return this.closing.get() != Closing.NOT_YET;
	}

	/**
	 * Keeps the lease for one more piece of work.
	 * @return false if the last work under it has ended: then it is being released
	 */
	boolean retain() {
		return this.works.getAndUpdate((count) -> (count > 0) ? count + 1 : 0) > 0;
	}

	/**
	 * One piece of work is done.
	 */
	void done() {
		if (this.works.decrementAndGet() == 0) {
			close();
		}
	}

	/**
	 * Like {@link #done()}, without waiting.
	 */
	CompletionStage<?> doneAsync() {
		return (this.works.decrementAndGet() == 0) ? releaseAsync() : CompletableFuture.completedStage(null);
	}

	/**
	 * Whether the lease was lost before it was given back. Work that closes its lease
	 * early, while it is valid, has not lost it.
	 */
	Optional<LockLostException> loss() {
		return Optional.ofNullable(lossReason()).map((reason) -> new LockLostException(resources(), reason));
	}

	private @Nullable LossReason lossReason() {
		Closing closed = this.closing.get();
		if (closed == Closing.IN_TIME) {
			return null;
		}
		LossReason told = lost().toCompletableFuture().getNow(null);
		boolean overdue = closed == Closing.TOO_LATE || !isValid();
		return (told == null && overdue) ? LossReason.EXPIRED : told;
	}

	private void rememberValidity() {
		this.closing.compareAndSet(Closing.NOT_YET, isValid() ? Closing.IN_TIME : Closing.TOO_LATE);
	}

	private enum Closing {

		NOT_YET, IN_TIME, TOO_LATE

	}

}
