package dev.redlock.spring.leader;

/**
 * The application event that this process no longer leads a role. The event is published
 * on a separate thread, after new leader-only calls are refused in this process. With the
 * reason {@code LOST}, the leader's lease is lost already. With another reason, the lease
 * may be lost before a listener ends, most likely with {@code NOT_RENEWED}. If it is not
 * lost, it is released when all listeners have returned and the running calls have ended.
 * At shutdown, a lease that is still held after the shutdown timeout is lost.
 *
 * @param role the name of the role
 * @param term the number of the term (the time as leader) that has ended
 * @param reason why this process no longer leads
 */
public record LeaderRevokedEvent(String role, long term, Reason reason) {

	/**
	 * Why this process no longer leads a role.
	 */
	public enum Reason {

		/**
		 * The application or an operator asked the leader to give up the role.
		 */
		YIELDED,

		/**
		 * The application that leads the role is stopping.
		 */
		STOPPED,

		/**
		 * The leader's lease could not be renewed, and less than a sixth of its ttl is
		 * left.
		 */
		NOT_RENEWED,

		/**
		 * A majority of the servers no longer has the leader's lease, an operator revoked
		 * the lease, or the lease expired during a pause of this process.
		 */
		LOST

	}

}
