package dev.redlock.spring.fencing;

/**
 * Thrown when a resource refuses the holder of a lock, because a later holder has claimed
 * the resource. The lock of the refused holder had ended while the holder still worked.
 * Nothing was written.
 */
public final class StaleFenceException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final long fence;

	private final long highest;

	/**
	 * Creates the exception.
	 * @param resource the name of the resource
	 * @param fence the fence that was refused
	 * @param highest the fence that the resource has seen
	 */
	public StaleFenceException(String resource, long fence, long highest) {
		super(resource + " refused the fence " + fence + ", because it has seen the newer fence " + highest
				+ ": the lock was lost, and another owner has worked since. Nothing was written. Repeat the work "
				+ "under a new lock. Make the work shorter than the ttl of the lock, raise the ttl, or turn on "
				+ "renewal.");
		this.fence = fence;
		this.highest = highest;
	}

	/**
	 * Returns the fence that was refused.
	 * @return the fence
	 */
	public long fence() {
		return this.fence;
	}

	/**
	 * Returns the fence that the resource had seen before.
	 * @return the highest fence
	 */
	public long highest() {
		return this.highest;
	}

}
