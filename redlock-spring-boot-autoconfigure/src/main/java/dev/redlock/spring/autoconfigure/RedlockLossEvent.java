package dev.redlock.spring.autoconfigure;

import dev.redlock.Lease;
import dev.redlock.LossReason;

/**
 * The application event that a lease was lost before it was released. All listeners of
 * the event run on one separate thread.
 *
 * @param lease the lost lease, which is no longer valid
 * @param reason why the lease was lost
 */
public record RedlockLossEvent(Lease lease, LossReason reason) {

}
