package dev.redlock.spring.autoconfigure.observation;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import dev.redlock.Redlock;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.distribution.TimeWindowMax;
import org.jspecify.annotations.Nullable;

/**
 * Gauges that show node states, waiting requests of this process, and whether the
 * configuration of another client differs.
 */
final class RedlockGauges implements MeterBinder {

	/**
	 * How long {@code redlock.loop.lag} shows a delay of the event loop, so that
	 * monitoring systems read each delay.
	 */
	private static final Duration LAG_WINDOW = Duration.ofMinutes(1);

	private static final int LAG_WINDOWS = 2;

	private final Redlock redlock;

	private final @Nullable LongSupplier dropped;

	private final @Nullable LockNodes nodes;

	private final TimeWindowMax lagNanos = new TimeWindowMax(Clock.SYSTEM, LAG_WINDOW.toMillis(), LAG_WINDOWS);

	RedlockGauges(Redlock redlock, @Nullable LongSupplier dropped, @Nullable LockNodes nodes) {
		this.redlock = redlock;
		this.dropped = dropped;
		this.nodes = nodes;
		if (nodes != null) {
			nodes.onLag(this.lagNanos::record);
		}
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Gauge.builder("redlock.margin", this.redlock, (lock) -> lock.quorum().margin())
			.description(
					"How many more nodes may fail while locks can still be acquired. The value is negative without "
							+ "a quorum")
			.register(registry);
		Gauge.builder("redlock.waiters", this.redlock, RedlockGauges::waiters)
			.description("Requests of this process that wait for a lock, counted once for each resource")
			.register(registry);
		if (this.dropped != null) {
			FunctionCounter.builder("redlock.listener.dropped", this.dropped, LongSupplier::getAsLong)
				.description("Notifications that listeners did not get because their queue was full")
				.register(registry);
		}
		if (this.nodes != null) {
			Gauge.builder("redlock.settings.differ", this.nodes, (each) -> each.membershipProblem().isPresent() ? 1 : 0)
				.description("1 while another client is known to have other nodes or another max-ttl, otherwise 0")
				.register(registry);
			TimeGauge.builder("redlock.loop.lag", this.lagNanos, TimeUnit.NANOSECONDS, TimeWindowMax::poll)
				.description("The longest delay of the event loop of the lock in the last one to two minutes")
				.register(registry);
		}
		bindNodesTo(registry);
	}

	private void bindNodesTo(MeterRegistry registry) {
		for (LockNode node : this.redlock.nodes()) {
			for (State state : State.values()) {
				Gauge.builder("redlock.node.state", node, (each) -> (each.status().state() == state) ? 1 : 0)
					.description("1 for the current state of the node, 0 for all other states")
					.tag("node", node.name())
					.tag("state", state.name().toLowerCase(Locale.ROOT))
					.register(registry);
			}
		}
	}

	private static int waiters(Redlock lock) {
		return lock.waiters().values().stream().mapToInt(Integer::intValue).sum();
	}

}
