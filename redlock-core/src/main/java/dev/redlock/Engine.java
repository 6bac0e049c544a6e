package dev.redlock;

import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Ticker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What every part of one lock shares. All of it is injected, so that the same code runs
 * in a simulation.
 */
record Engine(RedlockSettings settings, Ticker ticker, Scheduler scheduler, RandomGenerator random, Executor callbacks,
		RedlockListener listener, Tokens tokens, FenceProposals fences, Releases releases, HeldLeases held, Lines lines,
		Pace pace) {

	private static final Logger logger = LoggerFactory.getLogger(Engine.class);

	/**
	 * Tells of a loss, whatever the listener throws.
	 */
	void tellLost(Lease lease, LossReason reason) {
		try {
			this.listener.leaseLost(lease, reason);
		}
		catch (Throwable ex) {
			logger.warn("A listener failed when told that the lock on {} was lost", lease.resources(), ex);
		}
	}

}
