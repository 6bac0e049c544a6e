package dev.redlock.internal.vote;

import java.util.List;
import java.util.random.RandomGenerator;

import dev.redlock.RedlockListener;
import dev.redlock.RedlockSettings;
import dev.redlock.internal.plan.Tokens;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Ticker;

/**
 * The objects that all parts of one {@code Redlock} share. Clock, timers and random
 * numbers are injected, so that tests can simulate the lock.
 */
public record LockContext(RedlockSettings settings, EventLoop loop, Ticker ticker, RandomGenerator random,
		Callbacks callbacks, List<RedlockListener> listeners, Tokens tokens, FenceProposals fences, Releases releases,
		RoundTimes roundTimes, Permits permits) {

}
