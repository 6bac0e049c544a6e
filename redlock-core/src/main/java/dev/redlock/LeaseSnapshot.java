package dev.redlock;

import java.time.Duration;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * A lease of this process as it stood at one instant, without its token.
 *
 * @param resources what is locked, sorted
 * @param fence the fence, 0 when fencing is disabled
 * @param heldFor how long it has been held
 * @param remaining how long it may still be trusted
 * @param origin who asked for it, null if the request did not say
 */
public record LeaseSnapshot(Set<String> resources, long fence, Duration heldFor, Duration remaining,
		@Nullable String origin) {

	static LeaseSnapshot of(HeldLease lease) {
		return new LeaseSnapshot(lease.resources(), lease.counter(), lease.heldFor(), lease.remaining(),
				lease.plan().origin());
	}

}
