package dev.redlock;

import dev.redlock.LockNotAcquiredException.Reason;
import org.jspecify.annotations.Nullable;

/**
 * How one attempt ended: with a lease or with a reason, never both.
 *
 * @param lease the lease, if it was won
 * @param reason why it was not won
 * @param votes the votes that decided it
 */
record Verdict(@Nullable HeldLease lease, @Nullable Reason reason, Tally votes) {

}
