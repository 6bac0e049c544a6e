package dev.redlock;

/**
 * Why a lease was lost before it was released.
 */
public enum LossReason {

	/**
	 * Its validity ran out.
	 */
	EXPIRED,

	/**
	 * So many nodes answered that they no longer hold it that no majority is left.
	 */
	REFUSED,

	/**
	 * Renewal came to its limit, and then the validity ran out.
	 */
	RENEWAL_LIMIT,

	/**
	 * The thread that acquired it has ended without releasing it, and then the validity
	 * ran out.
	 */
	OWNER_GONE,

	/**
	 * It was taken from its holder by {@link Redlock#revoke(String)}.
	 */
	REVOKED,

	/**
	 * The lock was shut down and released it.
	 */
	SHUT_DOWN

}
