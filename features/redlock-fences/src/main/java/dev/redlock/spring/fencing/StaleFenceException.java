package dev.redlock.spring.fencing;

/**
 * Thrown when a resource refuses a caller whose lock has ended, because the resource has
 * seen the higher fence of a later lock holder. The refused read or write has not changed
 * the resource.
 */
public final class StaleFenceException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final long fence;

	private final long highest;

	/**
	 * Creates the exception.
	 * @param highest the highest fence that the resource has seen
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
	 * Returns the fence of the caller that the resource refused.
	 */
	public long fence() {
		return this.fence;
	}

	/**
	 * Returns the highest fence that the resource had seen before it refused the caller.
	 */
	public long highest() {
		return this.highest;
	}

}
