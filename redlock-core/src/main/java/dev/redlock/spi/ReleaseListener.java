package dev.redlock.spi;

/**
 * Listener for the releases of a key on one node. Announcements are hints, because they
 * may be lost, late, or repeated. The listener must not block.
 */
public interface ReleaseListener {

	/**
	 * Called when the subscription becomes active. Releases before this call may have
	 * been missed.
	 */
	void listening();

	/**
	 * Called when a release was announced.
	 * @param release the {@linkplain Claim#releaseName() name} of the release, which is
	 * the same on every node
	 * @param listeners the number of clients that the node notified of the release
	 */
	void released(String release, int listeners);

}
