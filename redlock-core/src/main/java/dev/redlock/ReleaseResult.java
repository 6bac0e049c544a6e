package dev.redlock;

/**
 * The result of releasing a lease on the nodes.
 *
 * @param released the number of nodes that deleted the lease, set it to expire as
 * requested, or gave the lock to the next request of this process
 * @param nodes the number of nodes that were asked
 * @param wasValid whether the lease was still valid when the release was sent
 */
public record ReleaseResult(int released, int nodes, boolean wasValid) {

	/**
	 * Returns whether a majority of the nodes confirmed the release.
	 */
	public boolean confirmed() {
		return this.released >= QuorumStatus.majorityOf(this.nodes);
	}

}
