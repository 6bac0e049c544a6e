package dev.redlock;

import dev.redlock.spi.Vote;

/**
 * What became of a release.
 *
 * @param released how many nodes deleted the lease, or let it expire as asked
 * @param nodes how many nodes were asked
 * @param wasValid whether the lease was still valid when the release was sent
 */
public record ReleaseResult(int released, int nodes, boolean wasValid) {

	static ReleaseResult of(Tally tally, boolean wasValid) {
		return new ReleaseResult(tally.count(Vote.Granted.class::isInstance), tally.nodes().size(), wasValid);
	}

	/**
	 * Whether a majority confirmed that the lease is gone.
	 * @return true with a majority
	 */
	public boolean confirmed() {
		return this.released >= new Quorum(this.nodes).majority();
	}

}
