package dev.redlock.spi;

/**
 * Is told of the releases of a key on one node. What it is told is a hint: announcements
 * may be lost, come late, or come twice. It must not block.
 */
public interface ReleaseListener {

	/**
	 * Releases are heard from now on. Those before may have been missed.
	 */
	void listening();

	/**
	 * A release was announced.
	 * @param release the {@linkplain Claim#releaseName() name} of the release, which is
	 * the same on every node
	 * @param listeners how many clients the node told
	 */
	void released(String release, int listeners);

}
