package dev.redlock.spring.observation;

import dev.redlock.HoldEnd;
import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockRequest;
import dev.redlock.RedlockListener;
import dev.redlock.RequestListener;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Observes each request for a lock and each lease, as {@link RedlockObservation} says.
 * <p>
 * Both observations are children of the one that is current where the lock is asked for.
 * Neither is ever current itself: a request may be answered, and a lease released, on
 * another thread than the one that asked.
 */
public final class ObservedLocks implements RedlockListener {

	private final ObservationRegistry registry;

	private final AcquireObservationConvention defaultAcquire;

	private final HoldObservationConvention defaultHold;

	private final @Nullable AcquireObservationConvention ownAcquire;

	private final @Nullable HoldObservationConvention ownHold;

	/**
	 * Creates the listener.
	 * @param registry where observations are made
	 * @param includeResources whether spans name what is locked, by the default
	 * conventions
	 * @param acquireConvention the application's own name and keys of requests, null for
	 * a global convention of the registry or the default one
	 * @param holdConvention the application's own name and keys of leases, likewise
	 */
	public ObservedLocks(ObservationRegistry registry, boolean includeResources,
			@Nullable AcquireObservationConvention acquireConvention,
			@Nullable HoldObservationConvention holdConvention) {
		this.registry = registry;
		this.defaultAcquire = new DefaultAcquireObservationConvention(includeResources);
		this.defaultHold = new DefaultHoldObservationConvention(includeResources);
		this.ownAcquire = acquireConvention;
		this.ownHold = holdConvention;
	}

	@Override
	public boolean isQuick() {
		return true;
	}

	@Override
	public @Nullable RequestListener requested(LockRequest request) {
		return this.registry.isNoop() ? null : new ObservedRequest(new AcquireObservationContext(request));
	}

	private Observation start(AcquireObservationContext context) {
		return RedlockObservation.ACQUIRE.start(this.ownAcquire, this.defaultAcquire, () -> context, this.registry);
	}

	private Observation start(HoldObservationContext context) {
		return RedlockObservation.HOLD.start(this.ownHold, this.defaultHold, () -> context, this.registry);
	}

	private final class ObservedRequest implements RequestListener {

		private final AcquireObservationContext asking;

		private final HoldObservationContext holding;

		private final Observation acquire;

		private volatile Observation hold = Observation.NOOP;

		ObservedRequest(AcquireObservationContext asking) {
			this.asking = asking;
			this.holding = new HoldObservationContext(asking.getRequest());
			this.acquire = start(asking);
		}

		@Override
		public void ended(LockAttempt attempt) {
			this.asking.setAttempt(attempt);
			this.acquire.stop();
			if (attempt.lease().isPresent()) {
				this.holding.setParentObservation(this.asking.getParentObservation());
				this.hold = start(this.holding);
			}
		}

		@Override
		public void holdEnded(Lease lease, HoldEnd end) {
			this.holding.setEnd(end);
			this.hold.stop();
		}

	}

}
