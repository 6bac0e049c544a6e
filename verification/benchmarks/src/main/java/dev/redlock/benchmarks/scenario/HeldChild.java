package dev.redlock.benchmarks.scenario;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.benchmarks.contender.Contexts;
import dev.redlock.benchmarks.contender.Terms;
import dev.redlock.spring.template.RedLockTemplate;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * A process that holds many leases and lets them be renewed. It says {@code held} when it
 * has them all, answers the next line with the {@link HeldState} of then, and ends when
 * its input does.
 */
final class HeldChild {

	private static final int OWNERS = 8;

	/** Queues grow with what is under way at once, and not in every warm-up as far. */
	private static final int WARM_UPS = 3;

	private static final Duration WARM_UP_TTL = Duration.ofSeconds(2);

	private static final int COLLECTIONS = 3;

	private static final long BETWEEN_COLLECTIONS_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

	private HeldChild() {
	}

	/**
	 * Arguments: how many leases, the max-ttl in milliseconds, and the ports of the
	 * servers.
	 */
	public static void main(String[] args) throws IOException {
		int count = Integer.parseInt(args[0]);
		Terms terms = Terms.under(Duration.ofMillis(Long.parseLong(args[1])));
		List<Integer> ports = Arrays.stream(args).skip(2).map(Integer::valueOf).toList();
		// A lease is renewed only as long as the thread lives that acquired it.
		ExecutorService owners = Executors.newFixedThreadPool(OWNERS);
		try (ConfigurableApplicationContext context = Contexts.start(ports, terms)) {
			Contexts.awaitReady(context, terms.longestQuarantine());
			RedLockTemplate template = context.getBean(RedLockTemplate.class);
			// What is made once, whatever the number of leases, is not counted. What is
			// kept of these for the rest of their ttl is gone soon.
			for (int i = 0; i < WARM_UPS; i++) {
				acquire(template, owners, count, "warm-up:", WARM_UP_TTL).forEach(Lease::close);
				LockSupport.parkNanos(WARM_UP_TTL.multipliedBy(2).toNanos());
			}
			long heapBefore = heap();
			int threadsBefore = threads();
			List<Lease> leases = acquire(template, owners, count, "held:", terms.ttl());
			long heap = heap() - heapBefore;
			long cpuBefore = cpuNanos();
			System.out.println("held");
			if (System.in.read() < 0) {
				System.exit(1);
			}
			long lost = leases.stream().filter((lease) -> !lease.isValid()).count();
			System.out.println(
					new HeldState(threadsBefore, threads(), heap / (double) count, (cpuNanos() - cpuBefore) / 1e9, lost)
						.encode());
			leases.forEach(Lease::close);
		}
		owners.shutdown();
		System.exit(0);
	}

	private static List<Lease> acquire(RedLockTemplate template, ExecutorService owners, int count, String prefix,
			Duration ttl) {
		List<CompletableFuture<Lease>> leases = IntStream.range(0, count)
			.mapToObj((i) -> CompletableFuture
				.supplyAsync(() -> template.acquire(LockRequest.of(prefix + i).withTtl(ttl).withRenew(true)), owners))
			.toList();
		return leases.stream().map(CompletableFuture::join).toList();
	}

	private static long heap() {
		for (int i = 0; i < COLLECTIONS; i++) {
			System.gc();
			LockSupport.parkNanos(BETWEEN_COLLECTIONS_NANOS);
		}
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

	private static int threads() {
		return ManagementFactory.getThreadMXBean().getThreadCount();
	}

	private static long cpuNanos() {
		return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
			.getProcessCpuTime();
	}

}
