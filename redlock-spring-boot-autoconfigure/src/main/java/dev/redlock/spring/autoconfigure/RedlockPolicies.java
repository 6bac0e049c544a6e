package dev.redlock.spring.autoconfigure;

import java.time.Duration;

/**
 * The groups of properties that say how locks behave.
 */
public final class RedlockPolicies {

	private RedlockPolicies() {
	}

	/**
	 * How attempts are repeated.
	 */
	public static final class Retry {

		/**
		 * At most so many retries while waiting for a lock. -1 for no limit.
		 */
		private int count = -1;

		/**
		 * Upper end of the random delay between two attempts, at least 1 ms. The lower
		 * end is half of it.
		 */
		private Duration delay = Duration.ofMillis(200);

		/**
		 * Creates the default.
		 */
		public Retry() {
		}

		/**
		 * {@return how many retries there are at most while waiting for a lock, -1 for no
		 * limit}
		 */
		public int getCount() {
			return this.count;
		}

		/**
		 * Sets what getCount returns.
		 * @param count the value
		 */
		public void setCount(int count) {
			this.count = count;
		}

		/**
		 * Upper end of the random delay between two attempts, at least 1 ms. The lower
		 * end is half of it.
		 * @return the value
		 */
		public Duration getDelay() {
			return this.delay;
		}

		/**
		 * Sets what getDelay returns.
		 * @param delay the value
		 */
		public void setDelay(Duration delay) {
			this.delay = delay;
		}

	}

	/**
	 * How leases are renewed.
	 */
	public static final class Renew {

		/**
		 * Whether a lock is renewed until it is released.
		 */
		private boolean enabled = false;

		/**
		 * Renewal stops after this much time in total.
		 */
		private Duration maxHold = Duration.ofMinutes(10);

		/**
		 * Renewal stops after so many extensions, unless a request says itself for how
		 * long it is renewed.
		 */
		private int maxCount = 10_000;

		/**
		 * Creates the default.
		 */
		public Renew() {
		}

		/**
		 * {@return whether a lock is renewed until it is released}
		 */
		public boolean isEnabled() {
			return this.enabled;
		}

		/**
		 * Sets what isEnabled returns.
		 * @param enabled the value
		 */
		public void setEnabled(boolean enabled) {
			this.enabled = enabled;
		}

		/**
		 * {@return for how long a lock is renewed in total}
		 */
		public Duration getMaxHold() {
			return this.maxHold;
		}

		/**
		 * Sets what getMaxHold returns.
		 * @param maxHold the value
		 */
		public void setMaxHold(Duration maxHold) {
			this.maxHold = maxHold;
		}

		/**
		 * {@return how often a lock is renewed}
		 */
		public int getMaxCount() {
			return this.maxCount;
		}

		/**
		 * Sets what getMaxCount returns.
		 * @param maxCount the value
		 */
		public void setMaxCount(int maxCount) {
			this.maxCount = maxCount;
		}

	}

	/**
	 * Whether leases carry fences.
	 */
	public static final class Fencing {

		/**
		 * Whether each lock comes with a number that is higher than that of every lock
		 * before it.
		 */
		private boolean enabled = true;

		/**
		 * Creates the default.
		 */
		public Fencing() {
		}

		/**
		 * Whether each lock comes with a number that is higher than that of every lock
		 * before it.
		 * @return the value
		 */
		public boolean isEnabled() {
			return this.enabled;
		}

		/**
		 * Sets what isEnabled returns.
		 * @param enabled the value
		 */
		public void setEnabled(boolean enabled) {
			this.enabled = enabled;
		}

	}

	/**
	 * What happens when a server restarts.
	 */
	public static final class RestartGuard {

		/**
		 * Whether a server that may have forgotten locks does not vote until they have
		 * expired.
		 */
		private boolean enabled = true;

		/**
		 * Creates the default.
		 */
		public RestartGuard() {
		}

		/**
		 * Whether a server that may have forgotten locks does not vote until they have
		 * expired.
		 * @return the value
		 */
		public boolean isEnabled() {
			return this.enabled;
		}

		/**
		 * Sets what isEnabled returns.
		 * @param enabled the value
		 */
		public void setEnabled(boolean enabled) {
			this.enabled = enabled;
		}

	}

	/**
	 * How leases are released.
	 */
	public static final class Release {

		/**
		 * Whether a call returns only when a majority of the servers has confirmed the
		 * release.
		 */
		private boolean await = false;

		/**
		 * Creates the default.
		 */
		public Release() {
		}

		/**
		 * Whether a call returns only when a majority of the servers has confirmed the
		 * release.
		 * @return the value
		 */
		public boolean isAwait() {
			return this.await;
		}

		/**
		 * Sets what isAwait returns.
		 * @param await the value
		 */
		public void setAwait(boolean await) {
			this.await = await;
		}

	}

}
