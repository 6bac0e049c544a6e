package dev.redlock.spring.autoconfigure.observation;

import java.util.Set;

import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockLostException;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LockRequest;
import dev.redlock.LossReason;
import dev.redlock.RedlockListener;
import dev.redlock.RequestListener;
import dev.redlock.RequestListener.HoldEnd;
import dev.redlock.spring.observation.AcquireObservationContext;
import dev.redlock.spring.observation.AcquireObservationConvention;
import dev.redlock.spring.observation.HoldObservationContext;
import dev.redlock.spring.observation.HoldObservationConvention;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Creates an observation for each lock request and another for each lease. Neither
 * observation becomes the current observation, because another thread may answer the
 * request or release the lease.
 */
final class ObservedLocks implements RedlockListener {

	private static final AcquireObservationConvention DEFAULT_ACQUIRE = new AcquireObservationConvention() {
	};

	private static final HoldObservationConvention DEFAULT_HOLD = new HoldObservationConvention() {
	};

	private final ObservationRegistry registry;

	private final boolean includeResources;

	private final @Nullable AcquireObservationConvention acquireConvention;

	private final @Nullable HoldObservationConvention holdConvention;

	ObservedLocks(ObservationRegistry registry, boolean includeResources,
			@Nullable AcquireObservationConvention acquireConvention,
			@Nullable HoldObservationConvention holdConvention) {
		this.registry = registry;
		this.includeResources = includeResources;
		this.acquireConvention = acquireConvention;
		this.holdConvention = holdConvention;
	}

	@Override
	public boolean isQuick() {
		return true;
	}

	@Override
	public @Nullable RequestListener requested(LockRequest request) {
		return this.registry.isNoop() ? null : new ObservedRequest(request);
	}

	private final class ObservedRequest implements RequestListener {

		private final AcquireObservationContext acquireContext;

		private final HoldObservationContext holdContext;

		private final Observation acquire;

		private volatile Observation hold = Observation.NOOP;

		ObservedRequest(LockRequest request) {
			this.acquireContext = new AcquireObservationContext(request, ObservedLocks.this.includeResources);
			this.holdContext = new HoldObservationContext(request, ObservedLocks.this.includeResources);
			// A request that stands by may last for days, and no caller waits for it.
			this.acquire = request.standby() ? Observation.NOOP
					: Observation.start(ObservedLocks.this.acquireConvention, DEFAULT_ACQUIRE,
							() -> this.acquireContext, ObservedLocks.this.registry);
		}

		@Override
		public void ended(LockAttempt attempt) {
			this.acquireContext.setAttempt(attempt);
			// It is a normal outcome and no error if another owner holds the lock, or has
			// taken the job's tick.
			attempt.reason()
				.filter((reason) -> reason != Reason.HELD && reason != Reason.TICK_TAKEN)
				.ifPresent((reason) -> this.acquire.error(new LockNotAcquiredException(names(), reason, attempt.votes(),
						attempt.tries(), attempt.waited())));
			this.acquire.stop();
			if (attempt.lease().isPresent()) {
				this.holdContext.setParentObservation(this.acquireContext.getParentObservation());
				this.hold = Observation.start(ObservedLocks.this.holdConvention, DEFAULT_HOLD, () -> this.holdContext,
						ObservedLocks.this.registry);
			}
		}

		@Override
		public void holdEnded(Lease lease, HoldEnd end) {
			this.holdContext.setEnd(end);
			if (end == HoldEnd.LOST) {
				LossReason reason = lease.lost().toCompletableFuture().getNow(LossReason.EXPIRED);
				this.hold.error(new LockLostException(names(), reason));
			}
			this.hold.stop();
		}

		/**
		 * Hides the resource names in error messages unless {@code includeResources} is
		 * set, because tracers record the messages.
		 */
		private Set<String> names() {
			return ObservedLocks.this.includeResources ? Set.copyOf(this.acquireContext.getRequest().resources())
					: Set.of("(hidden)");
		}

	}

}
