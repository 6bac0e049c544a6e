package dev.redlock.nemesis.proxy;

import java.time.Duration;

/**
 * What becomes of the bytes that pass a {@link FaultProxy}.
 *
 * @param toServer what becomes of requests
 * @param toClient what becomes of replies
 * @param delay how long each byte is on its way, in each direction
 * @param jitter up to how much longer, at random; the order of the bytes stays
 */
public record Traffic(Flow toServer, Flow toClient, Duration delay, Duration jitter) {

	/**
	 * Everything passes at once.
	 */
	public static final Traffic CLEAR = new Traffic(Flow.PASS, Flow.PASS, Duration.ZERO, Duration.ZERO);

	/**
	 * Connections are accepted, and everything is swallowed.
	 */
	public static final Traffic BLACK_HOLE = CLEAR.with(Flow.DROP, Flow.DROP);

	/**
	 * Nothing passes until the traffic is clear again, and then everything does: what TCP
	 * makes of a network that is cut for a while.
	 */
	public static final Traffic PARTITION = CLEAR.with(Flow.HOLD, Flow.HOLD);

	/**
	 * Everything passes later.
	 * @param delay how long each byte is on its way, in each direction
	 * @param jitter up to how much longer, at random
	 * @return the traffic
	 */
	public static Traffic delayed(Duration delay, Duration jitter) {
		return new Traffic(Flow.PASS, Flow.PASS, delay, jitter);
	}

	/**
	 * The same delay with other flows.
	 * @param toServer what becomes of requests
	 * @param toClient what becomes of replies
	 * @return the traffic
	 */
	public Traffic with(Flow toServer, Flow toClient) {
		return new Traffic(toServer, toClient, this.delay, this.jitter);
	}

	/**
	 * What becomes of the bytes of one direction.
	 */
	public enum Flow {

		/**
		 * They pass.
		 */
		PASS,

		/**
		 * They wait, the end of the connection too, and pass when the traffic is clear
		 * again.
		 */
		HOLD,

		/**
		 * They are lost. A connection that lost some never passes anything again in that
		 * direction, since a stream without its middle does not exist.
		 */
		DROP

	}

}
