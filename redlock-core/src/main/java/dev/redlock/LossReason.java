package dev.redlock;

/**
 * The reasons why a lease was lost before it was released.
 */
public enum LossReason {

	/**
	 * The validity of the lease ended.
	 */
	EXPIRED,

	/**
	 * Too many nodes answered that they no longer hold the lease, so no majority is left.
	 */
	REFUSED,

	/**
	 * Renewal stopped after {@link LockRequest#maxHold()}, or an extension beyond it was
	 * refused for a lease without renewal, and the validity ended.
	 */
	RENEWAL_LIMIT,

	/**
	 * The thread that acquired the lease ended without releasing the lease, and the
	 * validity ended.
	 */
	OWNER_GONE,

	/**
	 * The lease was taken from its holder by {@link Redlock#revoke(String)}.
	 */
	REVOKED,

	/**
	 * The {@link Redlock} was closed while work still ran under the lease.
	 */
	SHUT_DOWN

}
