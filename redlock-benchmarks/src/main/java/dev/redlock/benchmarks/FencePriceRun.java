package dev.redlock.benchmarks;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.redlock.LockRequest;
import dev.redlock.spring.template.RedLockTemplate;
import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * What fences and the restart guard cost: rounds with both on and both off, in turn, and
 * how many locks needed a second round trip for their fence.
 */
final class FencePriceRun {

	private static final int ROUNDS = 7;

	private static final int THREADS = 8;

	private static final long ROUND_NANOS = TimeUnit.SECONDS.toNanos(3);

	private static final Pattern SCRIPT_CALLS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");

	private FencePriceRun() {
	}

	static void run() {
		// A short max-ttl, as the guard makes new servers wait for it.
		String[] on = { "redlock.max-ttl=2s", "redlock.ttl=2s" };
		String[] off = { "redlock.max-ttl=2s", "redlock.ttl=2s", "redlock.fencing.enabled=false",
				"redlock.restart-guard.enabled=false", "redlock.key-prefix=off:" };
		try (RedisNodes nodes = RedisNodes.start(5);
				ConfigurableApplicationContext guarded = Contexts.start(nodes, on);
				ConfigurableApplicationContext plain = Contexts.start(nodes, off)) {
			Contexts.awaitReady(guarded);
			Contexts.awaitReady(plain);
			locksPerSecond(guarded);
			locksPerSecond(plain);
			double[] ratios = new double[ROUNDS];
			System.out.printf(
					"%n| round | both on, locks/s | both off, locks/s | ratio | second rounds |%n|---|---|---|---|---|%n");
			for (int round = 0; round < ROUNDS; round++) {
				long before = scriptCalls(nodes);
				double[] with = locksPerSecond(guarded);
				// Each lock is one call to acquire and one to release on each node.
				double extra = scriptCalls(nodes) - before - with[1] * 2 * nodes.asList().size();
				double[] without = locksPerSecond(plain);
				ratios[round] = with[0] / without[0];
				System.out.printf("| %d | %.0f | %.0f | %.2f | %.0f of %.0f |%n", round + 1, with[0], without[0],
						ratios[round], extra, with[1]);
			}
			System.out.printf("median ratio on/off: %.2f%n", Latencies.median(ratios));
		}
	}

	/**
	 * The rate and the number of locks of several threads on names of their own.
	 */
	private static double[] locksPerSecond(ConfigurableApplicationContext context) {
		RedLockTemplate template = context.getBean(RedLockTemplate.class);
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		LongAdder locks = new LongAdder();
		long start = System.nanoTime();
		for (int i = 0; i < THREADS; i++) {
			LockRequest request = LockRequest.of("own:" + i);
			threads.execute(() -> {
				while (System.nanoTime() - start < ROUND_NANOS) {
					template.execute(request, (lease) -> true);
					locks.increment();
				}
			});
		}
		threads.shutdown();
		try {
			if (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
				throw new IllegalStateException("A round did not end");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return new double[] { locks.sum() * 1e9 / (System.nanoTime() - start), locks.sum() };
	}

	private static long scriptCalls(RedisNodes nodes) {
		long calls = 0;
		for (RedisNode node : nodes.asList()) {
			Matcher matcher = SCRIPT_CALLS.matcher(String.valueOf(node.command("INFO", "commandstats")));
			calls += matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
		}
		return calls;
	}

}
