package dev.redlock.spring.leader;

/**
 * The application event that this process no longer leads a role. The event is published
 * on a thread of the role, when further calls of the leader are already refused. Unless
 * the lease was lost, the lease is still valid during the event. The lease is released
 * when all listeners have returned and the running calls have ended, or when the shutdown
 * timeout is over.
 *
 * @param role the name of the role
 * @param term the number of the term that has ended
 * @param reason why the term has ended
 */
public record LeaderRevokedEvent(String role, long term, Reason reason) {

	/**
	 * The reasons why a term has ended.
	 */
	public enum Reason {

		/**
		 * The leader was asked to leave the role to another process.
		 */
		YIELDED,

		/**
		 * The application stops.
		 */
		STOPPED,

		/**
		 * The lease could not be renewed, and the last sixth of its time has begun.
		 */
		NOT_RENEWED,

		/**
		 * The lease was lost: a majority of the nodes no longer has the lease, an
		 * operator revoked it, or this process was paused until it had expired.
		 */
		LOST

	}

}
