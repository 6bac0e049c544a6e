package dev.redlock.benchmarks.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import dev.redlock.benchmarks.contender.Library;
import dev.redlock.benchmarks.contender.Terms;
import dev.redlock.benchmarks.measure.Commands;
import dev.redlock.benchmarks.report.Format;
import dev.redlock.benchmarks.report.Part;
import dev.redlock.benchmarks.report.Result;
import dev.redlock.benchmarks.report.Table;
import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;

/**
 * Somebody holds a lock for long, and one thread in each of two other processes waits for
 * it: what they send meanwhile, and how soon they have it afterwards. All contenders at
 * the same time, each on servers of its own.
 */
final class IdleWaiters implements Scenario {

	static final String LOCK = "idle";

	private static final int JVMS = 2;

	private static final int SERVERS = 5;

	private static final List<String> HEADER = List.of("", "sent per server and second by a JVM that does nothing",
			"more by a JVM that waits", "first waiter has it after");

	@Override
	public String name() {
		return "idle";
	}

	@Override
	public String title() {
		return "A lock held for long, one waiter in each of " + JVMS + " JVMs";
	}

	@Override
	public Set<Site> sites() {
		return Set.of(Site.QUIET);
	}

	@Override
	public Result run(Bench bench) {
		Terms usual = bench.options().terms();
		Terms terms = usual.forLongHolds(usual.maxTtl().multipliedBy(2));
		List<ChildJvm> children = IntStream.range(0, JVMS)
			.mapToObj((i) -> ChildJvm.start(ClassPath.ofThisProcess().entries(), List.of("-Xmx256m"), WaiterChild.class,
					List.of()))
			.toList();
		List<AutoCloseable> opened = new ArrayList<>(children);
		try {
			List<IdleLock> locks = new ArrayList<>();
			for (Library library : bench.options().among(Library.thatWait())) {
				List<RedisNode> servers = servers(bench, library, opened);
				List<Integer> ports = servers.stream().map(RedisNode::port).toList();
				children.forEach((child) -> child.say(WaiterChild.open(library, terms, ports)));
				IdleLock lock = new IdleLock(library, servers, library.open(ports, terms));
				opened.add(0, lock.contender());
				children.forEach(ChildJvm::hear);
				locks.add(lock);
			}
			return watch(bench, terms, children, locks);
		}
		finally {
			opened.forEach(IdleWaiters::close);
		}
	}

	private Result watch(Bench bench, Terms terms, List<ChildJvm> children, List<IdleLock> locks) {
		long ttlMillis = terms.ttl().toMillis();
		Map<IdleLock, Holder> holders = new LinkedHashMap<>();
		locks.forEach((lock) -> holders.put(lock, Holder.of(lock.contender(), LOCK)));
		// All within one ttl: a renewal would be counted as well.
		long quietMillis = ttlMillis / 6;
		long waitingMillis = Math.min(TimeUnit.SECONDS.toMillis(bench.options().holdSeconds()), ttlMillis * 7 / 12);
		pause(ttlMillis / 60);
		List<Commands> quiet = during(locks, quietMillis);
		children.forEach((child) -> child.say("wait"));
		children.forEach(ChildJvm::hear);
		// To begin to wait is no part of waiting.
		pause(ttlMillis / 12);
		List<Commands> waiting = during(locks, waitingMillis);
		Map<IdleLock, Long> released = new LinkedHashMap<>();
		holders.forEach((lock, holder) -> released.put(lock, holder.release()));
		List<List<String>> rows = new ArrayList<>();
		List<String> remarks = new ArrayList<>();
		remarks.add("Waiting was watched for " + waitingMillis / 1e3 + " s, doing nothing for " + quietMillis / 1e3
				+ " s. What all servers were sent while two waited:");
		for (int i = 0; i < locks.size(); i++) {
			IdleLock lock = locks.get(i);
			double before = lock.perSecond(quiet.get(i), quietMillis);
			double after = lock.perSecond(waiting.get(i), waitingMillis);
			rows.add(List.of(lock.library().label(), Format.number(before / (JVMS + 1)),
					Format.number(Math.max(0, after - before) / JVMS), wokenAfter(lock, released, children)));
			remarks.add(lock.library().label() + ": " + waiting.get(i).sentByName(lock.library().plainCommands()));
		}
		return new Result(name(), title(),
				List.of(new Part(title(), new Table(HEADER, rows), remarks.toArray(String[]::new))));
	}

	private static String wokenAfter(IdleLock lock, Map<IdleLock, Long> released, List<ChildJvm> children) {
		children.forEach((child) -> child.say("when " + lock.library().label()));
		long first = children.stream().map(ChildJvm::hear).mapToLong(Long::parseLong).min().orElse(Long.MAX_VALUE);
		return (first == Long.MAX_VALUE) ? "never" : (first - released.getOrDefault(lock, first)) + " ms";
	}

	private static List<Commands> during(List<IdleLock> locks, long millis) {
		List<Commands> before = locks.stream().map((lock) -> Commands.of(lock.servers())).toList();
		pause(millis);
		return IntStream.range(0, locks.size())
			.mapToObj((i) -> Commands.of(locks.get(i).servers()).since(before.get(i)))
			.toList();
	}

	private static void pause(long millis) {
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
	}

	/**
	 * Only this library needs servers that are known already.
	 */
	private static List<RedisNode> servers(Bench bench, Library library, List<AutoCloseable> opened) {
		if (library == Library.REDLOCK) {
			return bench.sites().servers(Site.QUIET);
		}
		RedisNodes nodes = RedisNodes.start(library.serversOf(SERVERS));
		opened.add(nodes);
		return nodes.asList();
	}

	private static void close(AutoCloseable closeable) {
		try {
			closeable.close();
		}
		catch (Exception ex) {
			System.err.println("Could not be closed: " + ex);
		}
	}

}
