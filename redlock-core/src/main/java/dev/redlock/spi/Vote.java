package dev.redlock.spi;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * One node's answer to one operation. A node grants, refuses because of what it holds, or
 * is at fault; the three are never mixed.
 */
public sealed interface Vote {

	/**
	 * The node did what was asked.
	 *
	 * @param fence the counter as the node has it now, {@link Claim#UNFENCED} without
	 * fences
	 * @param nodeMicros the node's own time in microseconds since the epoch, or 0 when it
	 * did not say
	 * @param listeners how many clients watch what was released, 0 when the node did not
	 * say
	 */
	record Granted(long fence, long nodeMicros, int listeners) implements Vote {

		/**
		 * A grant that carries neither fence nor time.
		 */
		public static final Granted PLAIN = new Granted(Claim.UNFENCED, 0);

		/**
		 * A grant of anything but a release.
		 * @param fence the counter as the node has it now
		 * @param nodeMicros the node's own time in microseconds since the epoch
		 */
		public Granted(long fence, long nodeMicros) {
			this(fence, nodeMicros, 0);
		}

	}

	/**
	 * The node is well and said no.
	 *
	 * @param why what stood in the way
	 * @param holder the public label of the owner that stands in the way, if it left one
	 * @param remaining how long the node will keep what stands in the way, if it said so
	 * @param fence the counter that was too high, for {@link Refusal#TOO_LOW}
	 * @param ownerHash a hash of the whole value that stands in the way, which tells its
	 * owner from others with the same label; 0 when the node did not say
	 */
	record Refused(Refusal why, @Nullable String holder, @Nullable Duration remaining, long fence,
			int ownerHash) implements Vote {

		/**
		 * Separates the secret part of a value from the label of its owner.
		 */
		private static final char LABEL = '|';

		/**
		 * A refusal that tells owners apart by their labels alone.
		 * @param why what stood in the way
		 * @param holder the public label of the owner that stands in the way
		 * @param remaining how long the node will keep what stands in the way
		 * @param fence the counter that was too high
		 */
		public Refused(Refusal why, @Nullable String holder, @Nullable Duration remaining, long fence) {
			this(why, holder, remaining, fence, (holder != null) ? holder.hashCode() : 0);
		}

		/**
		 * A refusal because somebody else holds a key. Keeps the public label of the
		 * value and a hash of it, never the value itself.
		 * @param value the value of the key, the token of its owner; null if unknown
		 * @param remaining how long the node will keep it, if it said so
		 * @return the vote
		 */
		public static Refused heldBy(@Nullable String value, @Nullable Duration remaining) {
			if (value == null) {
				return new Refused(Refusal.HELD, null, remaining, 0);
			}
			int label = value.indexOf(LABEL);
			return new Refused(Refusal.HELD, (label >= 0) ? value.substring(label + 1) : null, remaining, 0,
					value.hashCode());
		}

		/**
		 * A refusal of which no more is known than its reason.
		 * @param why what stood in the way
		 * @return the vote
		 */
		public static Refused because(Refusal why) {
			return new Refused(why, null, null, 0);
		}

		/**
		 * Leaves out the hash, which is not for people.
		 */
		@Override
		public String toString() {
			return "Refused[why=" + this.why + ", holder=" + this.holder + ", remaining=" + this.remaining + ", fence="
					+ this.fence + "]";
		}

	}

	/**
	 * The node did not answer, or cannot vote.
	 *
	 * @param fault the kind of fault
	 * @param detail a sentence for people: what happened, without secrets
	 * @param mayHaveRun whether the operation may have taken effect all the same
	 * @param nodeMicros the node's own time in microseconds since the epoch, or 0 when it
	 * did not say; a node that faults with {@link Fault#CLOCK} says it
	 */
	record Faulted(Fault fault, String detail, boolean mayHaveRun, long nodeMicros) implements Vote {

		/**
		 * A fault of a node that did not tell its time.
		 * @param fault the kind of fault
		 * @param detail a sentence for people
		 * @param mayHaveRun whether the operation may have taken effect all the same
		 */
		public Faulted(Fault fault, String detail, boolean mayHaveRun) {
			this(fault, detail, mayHaveRun, 0);
		}

	}

	/**
	 * Why a healthy node said no.
	 */
	enum Refusal {

		/**
		 * Another owner holds at least one of the keys.
		 */
		HELD,

		/**
		 * At least one of the keys is gone, and nobody else has it.
		 */
		MISSING,

		/**
		 * At least one of the keys is held by somebody else, or its counter has moved on.
		 */
		LOST,

		/**
		 * The node's counter is above the fence that was asked for.
		 */
		TOO_LOW

	}

	/**
	 * Why a node could not vote.
	 */
	enum Fault {

		/**
		 * There is no connection.
		 */
		UNAVAILABLE,

		/**
		 * No answer within the node timeout.
		 */
		TIMEOUT,

		/**
		 * The server is not set up for locks: out of memory, read-only, no permission,
		 * evicting keys.
		 */
		MISCONFIGURED,

		/**
		 * The node may have forgotten locks and does not vote until they have expired.
		 */
		STALE,

		/**
		 * The node's clock is too far from the others.
		 */
		CLOCK,

		/**
		 * Anything else that the server or the client reported.
		 */
		ERROR

	}

}
