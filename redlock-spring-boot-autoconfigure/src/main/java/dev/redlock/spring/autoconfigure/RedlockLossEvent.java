package dev.redlock.spring.autoconfigure;

import dev.redlock.Lease;
import dev.redlock.LossReason;

/**
 * An application event: a lease was lost before it was released. Published on the thread
 * for listeners.
 *
 * @param lease the lease, which is no longer valid
 * @param reason why it was lost
 */
public record RedlockLossEvent(Lease lease, LossReason reason) {

}
