package dev.redlock;

/**
 * Is told what happens to leases. Called on a thread for callbacks; what it throws is
 * logged and changes nothing.
 */
public interface RedlockListener {

	/**
	 * A lease was lost before it was released.
	 * @param lease the lease
	 * @param reason why
	 */
	default void leaseLost(Lease lease, LossReason reason) {
	}

}
