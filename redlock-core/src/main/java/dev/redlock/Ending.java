package dev.redlock;

import java.time.Duration;
import java.util.List;

import dev.redlock.Releases.Release;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * The release of one lease, and what becomes of its place in line.
 */
final class Ending {

	private final HeldLease lease;

	private final Extensions extensions;

	private final List<LockNode> mayHold;

	private final @Nullable Turn place;

	/**
	 * How a lease ends.
	 * @param mayHold the nodes that may have held it from the beginning
	 * @param place its place in line, if it has one
	 */
	Ending(HeldLease lease, Extensions extensions, List<LockNode> mayHold, @Nullable Turn place) {
		this.lease = lease;
		this.extensions = extensions;
		this.mayHold = mayHold;
		this.place = place;
	}

	/**
	 * Sends the release, and lets the next in line have its turn behind it.
	 * @param keep how long the nodes keep the lock all the same
	 */
	Round send(Duration keep) {
		Turn turn = this.place;
		// What is kept for a while nobody can have yet, and others should know.
		Succession succession = (turn != null && keep.isZero()) ? turn.succession() : Succession.NOBODY;
		Engine engine = this.lease.engine();
		// Sent behind whatever is still under way on each connection, an extension too.
		Round round = engine.releases().send(release(keep, succession.announced()));
		if (turn != null) {
			// Behind the release on each connection, and in the same write where it can
			// be.
			engine.lines().proceed(turn, succession);
			round.decided().thenAccept((tally) -> turn.counted(listeners(tally)));
		}
		return round;
	}

	private Release release(Duration keep, boolean announced) {
		LockPlan plan = this.lease.plan();
		return new Release(this.lease.claim().withTtl(this.extensions.longestTtl()), plan.nodes(), this::mayBeHeldBy,
				this.extensions.lastSent(), plan.nodeTimeout(), keep, announced);
	}

	private boolean mayBeHeldBy(LockNode node) {
		return this.extensions.planted() || this.mayHold.contains(node);
	}

	private static int listeners(Tally tally) {
		int most = 0;
		for (Vote vote : tally.votes()) {
			if (vote instanceof Vote.Granted granted) {
				most = Math.max(most, granted.listeners());
			}
		}
		return most;
	}

}
