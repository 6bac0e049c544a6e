package dev.redlock;

import java.time.Duration;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The state of a lease of this process at one instant, without its token.
 *
 * @param resources the locked resources, sorted
 * @param fence the fencing token of the lease, 0 for a permit and when fencing is
 * disabled
 * @param remaining the time for which the lease may still be trusted
 * @param origin the caller's name in metrics and spans, null if the caller gave none
 * @param permit the name of the permit, such as {@code ocr#2}, null for a lock
 */
public record LeaseSnapshot(Set<String> resources, long fence, Duration heldFor, Duration remaining,
		@Nullable String origin, @Nullable String permit) {

}
