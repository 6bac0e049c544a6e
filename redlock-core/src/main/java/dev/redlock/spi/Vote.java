package dev.redlock.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The answer of one node to one operation. A node grants the operation, refuses the
 * operation because of the keys that the node stores, or is at fault.
 */
public sealed interface Vote {

	/**
	 * The node granted and ran the operation.
	 *
	 * @param fence the current fence counter on the node, {@link Claim#UNFENCED} if
	 * fencing is disabled
	 * @param nodeMicros the node's own time in microseconds since the epoch, 0 if unknown
	 * @param listeners the number of clients that are subscribed to releases of the key,
	 * 0 if unknown
	 */
	record Granted(long fence, long nodeMicros, int listeners) implements Vote {

		/**
		 * A grant without a fence and without the time of the node.
		 */
		public static final Granted PLAIN = new Granted(Claim.UNFENCED, 0);

		/**
		 * Creates a grant of an operation that counts no subscribers.
		 */
		public Granted(long fence, long nodeMicros) {
			this(fence, nodeMicros, 0);
		}

	}

	/**
	 * The node is healthy and refused the operation.
	 *
	 * @param holder the public label of the owner that holds the key, null if the owner
	 * has no label
	 * @param remaining the time for which the node will keep the key, null if unknown
	 * @param lastTick the last due time on record for the job, in microseconds since the
	 * epoch, for {@link Refusal#TAKEN}; otherwise 0
	 * @param ownerHash a hash of the whole value of the key, which distinguishes its
	 * owner from others with the same label; 0 if unknown
	 * @param announces whether the owner announces its release to subscribers of the key;
	 * false for an owner that uses another library
	 */
	record Refused(Refusal why, @Nullable String holder, @Nullable Duration remaining, long lastTick, int ownerHash,
			boolean announces) implements Vote {

		/**
		 * Creates a refusal that distinguishes owners by their labels alone.
		 */
		public Refused(Refusal why, @Nullable String holder, @Nullable Duration remaining, long lastTick) {
			this(why, holder, remaining, lastTick, (holder != null) ? holder.hashCode() : 0, holder != null);
		}

		/**
		 * Returns a refusal because another owner holds a key. The refusal contains the
		 * public label of the owner and a hash of the value, but never the value of the
		 * key.
		 * @param value the value of the key, which is the token of its owner; null if
		 * unknown
		 */
		public static Refused heldBy(@Nullable String value, @Nullable Duration remaining) {
			if (value == null) {
				return new Refused(Refusal.HELD, null, remaining, 0);
			}
			int announced = value.indexOf(Claim.LABEL);
			int silent = value.indexOf(Claim.SILENT_LABEL);
			boolean announces = announced >= 0 && (silent < 0 || announced < silent);
			String label = announces ? value.substring(announced + Claim.LABEL.length())
					: (silent >= 0) ? value.substring(silent + Claim.SILENT_LABEL.length()) : null;
			return new Refused(Refusal.HELD, label, remaining, 0, value.hashCode(), announces);
		}

		/**
		 * Returns a refusal that has only a reason.
		 */
		public static Refused because(Refusal why) {
			return new Refused(why, null, null, 0);
		}

		/**
		 * Shows all values except the hash of the owner.
		 */
		@Override
		public String toString() {
			return "Refused[why=" + this.why + ", holder=" + this.holder + ", remaining=" + this.remaining
					+ ", lastTick=" + this.lastTick + "]";
		}

	}

	/**
	 * The node has read several keys.
	 *
	 * @param keys a grant for each free key and a refusal for each held key, in the order
	 * of the requested keys
	 */
	record Seen(List<Vote> keys) implements Vote {

	}

	/**
	 * The node gave no usable answer, or could not vote.
	 *
	 * @param detail a description of the fault for people, without secrets
	 * @param mayHaveRun whether the operation may have taken effect nevertheless
	 * @param nodeMicros the node's own time in microseconds since the epoch, 0 if
	 * unknown; always set for {@link Fault#CLOCK}
	 * @param votesAgain when the node votes again by itself, null if unknown
	 */
	record Faulted(Fault fault, String detail, boolean mayHaveRun, long nodeMicros,
			@Nullable Instant votesAgain) implements Vote {

		/**
		 * Creates a fault of a node whose time is unknown.
		 */
		public Faulted(Fault fault, String detail, boolean mayHaveRun) {
			this(fault, detail, mayHaveRun, 0);
		}

		/**
		 * Creates a fault of a node of which it is not known when it votes again.
		 */
		public Faulted(Fault fault, String detail, boolean mayHaveRun, long nodeMicros) {
			this(fault, detail, mayHaveRun, nodeMicros, null);
		}

	}

	/**
	 * Returns the largest number of nodes on which one owner holds a key. A vote that
	 * does not identify the owner is not counted.
	 */
	static int heldByOne(List<? extends @Nullable Vote> votes) {
		int most = 0;
		for (Vote vote : votes) {
			most = Math.max(most, (vote instanceof Refused refused) ? heldBy(votes, refused.ownerHash()) : 0);
		}
		return most;
	}

	/**
	 * Returns the number of nodes on which one owner holds a key.
	 * @param owner the {@linkplain Refused#ownerHash() hash} of the owner
	 */
	static int heldBy(List<? extends @Nullable Vote> votes, int owner) {
		int count = 0;
		for (Vote vote : votes) {
			count += (owner != 0 && vote instanceof Refused refused && refused.ownerHash() == owner) ? 1 : 0;
		}
		return count;
	}

	/**
	 * The reasons why a healthy node refuses an operation.
	 */
	enum Refusal {

		/**
		 * Another owner holds at least one of the keys.
		 */
		HELD,

		/**
		 * At least one of the keys no longer exists, and no other owner holds it.
		 */
		MISSING,

		/**
		 * Another owner holds at least one of the keys, or the fence counter of a key is
		 * above the fence of the lease.
		 */
		LOST,

		/**
		 * The node has recorded that another owner runs the job for this due time or a
		 * later due time.
		 */
		TAKEN

	}

	/**
	 * The reasons why a node cannot vote.
	 */
	enum Fault {

		/**
		 * The node has no connection to its server, or the server is busy, takes no
		 * commands now, or has not been checked yet.
		 */
		UNAVAILABLE,

		/**
		 * The node gave no answer within the node timeout, or was not asked because it is
		 * too far behind.
		 */
		TIMEOUT,

		/**
		 * The server is not configured for locks: it is out of memory or read-only,
		 * denies permission, or evicts keys.
		 */
		MISCONFIGURED,

		/**
		 * The node may have forgotten locks, so it does not vote until all locks that it
		 * may have forgotten have expired.
		 */
		STALE,

		/**
		 * The clock of the node differs too much from the clocks of the other nodes.
		 */
		CLOCK,

		/**
		 * The server or the client reported an error of another kind.
		 */
		ERROR

	}

}
