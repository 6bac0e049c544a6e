package dev.redlock;

import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Ticker;

/**
 * What every part of one lock shares. All of it is injected, so that the same code runs
 * in a simulation.
 */
record Engine(RedlockSettings settings, Ticker ticker, Scheduler scheduler, RandomGenerator random, Executor callbacks,
		RedlockListener listener, Tokens tokens, FenceProposals fences, Releases releases, HeldLeases held, Lines lines,
		Pace pace) {

}
