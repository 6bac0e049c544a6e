package dev.redlock.benchmarks;

import dev.redlock.LockRequest;
import dev.redlock.spring.template.RedLockTemplate;
import dev.redlock.test.RedisNodes;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * What one frozen server of five costs: rounds of locks with all healthy and with one
 * frozen, in turn, in one process.
 */
final class FrozenNodeRun {

	private static final int ROUNDS = 7;

	private static final int LOCKS = 3_000;

	private FrozenNodeRun() {
	}

	static void run() {
		try (RedisNodes nodes = RedisNodes.start(5);
				ConfigurableApplicationContext context = Contexts.start(nodes, "redlock.restart-guard.enabled=false")) {
			RedLockTemplate template = context.getBean(RedLockTemplate.class);
			Runnable lock = () -> template.execute(LockRequest.of("frozen"), (lease) -> lease.fence());
			Latencies.of(3 * LOCKS, lock);
			double[][] ratios = new double[3][ROUNDS];
			System.out.printf(
					"%n| round | healthy p50 | p99 | max | one frozen p50 | p99 | max (µs) |%n|---|---|---|---|---|---|---|%n");
			for (int round = 0; round < ROUNDS; round++) {
				Contexts.awaitReady(context);
				Latencies healthy = Latencies.of(LOCKS, lock);
				nodes.get(4).freeze();
				Latencies frozen = Latencies.of(LOCKS, lock);
				nodes.get(4).thaw();
				double[] quantiles = { 0.5, 0.99, 1 };
				for (int i = 0; i < quantiles.length; i++) {
					ratios[i][round] = frozen.micros(quantiles[i]) / healthy.micros(quantiles[i]);
				}
				System.out.printf("| %d | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f |%n", round + 1, healthy.micros(0.5),
						healthy.micros(0.99), healthy.micros(1), frozen.micros(0.5), frozen.micros(0.99),
						frozen.micros(1));
			}
			System.out.printf("median ratio frozen/healthy: p50 %.2f, p99 %.2f, max %.2f%n",
					Latencies.median(ratios[0]), Latencies.median(ratios[1]), Latencies.median(ratios[2]));
		}
	}

}
