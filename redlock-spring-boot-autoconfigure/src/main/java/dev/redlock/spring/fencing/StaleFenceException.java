package dev.redlock.spring.fencing;

/**
 * A resource refused a holder, since a later one has claimed it: the lock of this holder
 * had ended while it still worked. Nothing was written.
 */
public final class StaleFenceException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final long fence;

	private final long highest;

	/**
	 * Creates the exception.
	 * @param resource what refused
	 * @param fence the fence that was refused
	 * @param highest the fence that the resource has seen
	 */
	public StaleFenceException(String resource, long fence, long highest) {
		super(resource + " refused the fence " + fence + ", since it was claimed with " + highest
				+ ": the lock was lost, and another owner has worked since. Nothing was written. Begin anew under a"
				+ " new lock; let the work take less than its ttl, raise the ttl, or turn on renewal.");
		this.fence = fence;
		this.highest = highest;
	}

	/**
	 * The fence that was refused.
	 * @return the fence
	 */
	public long fence() {
		return this.fence;
	}

	/**
	 * The fence that the resource had seen before.
	 * @return the highest fence
	 */
	public long highest() {
		return this.highest;
	}

}
