package dev.redlock.benchmarks.scenario;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
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

	private static final int THREADS = 8;

	private static final int COLLECTIONS = 3;

	private static final long BETWEEN_COLLECTIONS_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

	private HeldChild() {
	}

	/**
	 * Arguments: how many leases, the max-ttl in milliseconds, and the ports of the
	 * servers.
	 */
	public static void main(String[] args) throws IOException, InterruptedException {
		int count = Integer.parseInt(args[0]);
		Terms terms = Terms.under(Duration.ofMillis(Long.parseLong(args[1])));
		List<Integer> ports = Arrays.stream(args).skip(2).map(Integer::valueOf).toList();
		try (ConfigurableApplicationContext context = Contexts.start(ports, terms)) {
			Contexts.awaitReady(context, terms.maxTtl().multipliedBy(2).plusSeconds(10));
			RedLockTemplate template = context.getBean(RedLockTemplate.class);
			// What is made once, whatever the number of leases, is none of theirs.
			acquire(template, count, "warm-up:").forEach(Lease::close);
			long heapBefore = heap();
			int threadsBefore = threads();
			List<Lease> leases = acquire(template, count, "held:");
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
		System.exit(0);
	}

	private static List<Lease> acquire(RedLockTemplate template, int count, String prefix) throws InterruptedException {
		Lease[] leases = new Lease[count];
		List<Thread> threads = IntStream.range(0, THREADS).mapToObj((thread) -> new Thread(() -> {
			for (int i = thread; i < count; i += THREADS) {
				leases[i] = template.acquire(LockRequest.of(prefix + i).withRenew(true));
			}
		})).toList();
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
		return Arrays.asList(leases);
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
