package dev.redlock.it;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import dev.redlock.test.RedisNodes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs on three hosts whose clocks are up to 40 % of the interval apart, while hosts are
 * stopped and killed, two of five nodes are dead, and nodes come back empty. For longer:
 * {@code -Dredlock.jobs.seconds=110}.
 */
@Tag("slow")
class JobsTests {

	private static final int SECONDS = Integer.getInteger("redlock.jobs.seconds", 20);

	private static final int RERUN_MILLIS = 10_000;

	private static final String[] CLOCKS = { "0ms", "200ms", "-200ms" };

	@TempDir
	private Path directory;

	@Test
	void eachTickRunsOnceWhateverHappensToHostsAndNodes() throws Exception {
		long seed = Long.getLong("redlock.jobs.seed", System.nanoTime());
		Path file = this.directory.resolve("runs");
		try (RedisNodes nodes = RedisNodes.start(5)) {
			List<ChildProcess> hosts = new ArrayList<>();
			try {
				for (int i = 0; i < CLOCKS.length; i++) {
					hosts.add(host(i, file, nodes));
				}
				for (ChildProcess host : hosts) {
					host.await("ready");
				}
				// A node that nobody knew does not vote at first.
				Awaitility.await()
					.ignoreExceptions()
					.atMost(Duration.ofMinutes(1))
					.until(() -> Runs.read(file).ticks("once-") > 0);
				trouble(hosts, file, nodes, new SplittableRandom(seed));
				// The ticks before one that is done are done too, or never will be.
				long end = System.currentTimeMillis();
				Awaitility.await()
					.atMost(Duration.ofMinutes(1))
					.until(() -> Runs.read(file).areAllDoneAt("rerun-", end));
			}
			finally {
				hosts.forEach(ChildProcess::close);
			}
		}
		Runs runs = Runs.read(file);
		assertThat(runs.twice("once-")).as("ticks that ran twice, seed " + seed).isZero();
		assertThat(runs.ticks("once-")).isGreaterThan(SECONDS * JobsProcess.JOBS / 4);
		assertThat(runs.missing("rerun-", RERUN_MILLIS)).as("ticks without a run to its end, seed " + seed).isZero();
		assertThat(runs.twice("plain")).as("the control").isPositive();
	}

	private static void trouble(List<ChildProcess> hosts, Path file, RedisNodes nodes, SplittableRandom random)
			throws Exception {
		long start = System.nanoTime();
		ChildProcess started = null;
		for (int step = 0; step < SECONDS; step++) {
			int before = (step - 1) * 10 / SECONDS;
			int tenth = step * 10 / SECONDS;
			switch ((tenth != before) ? tenth : -1) {
				case 2 -> {
					nodes.get("d").kill();
					nodes.get("e").kill();
				}
				case 5 -> {
					nodes.get("d").restartEmpty();
					nodes.get("e").restartEmpty();
				}
				case 7 -> nodes.get("c").restartEmpty();
				case 8 -> nodes.get("b").restartEmpty();
				default -> {
				}
			}
			int victim = random.nextInt(hosts.size());
			if (step % 4 == 1) {
				hosts.get(victim).signal("STOP");
				Thread.sleep(random.nextInt(200, 2_500));
				hosts.get(victim).signal("CONT");
			}
			// Two hosts are there at any time, however long a start takes.
			if (step % 10 == 7 && (started == null || started.output().contains("ready"))) {
				hosts.get(victim).close();
				started = host(victim, file, nodes);
				hosts.set(victim, started);
			}
			long left = Duration.ofSeconds(step + 1).minusNanos(System.nanoTime() - start).toMillis();
			Thread.sleep(Math.max(0, left));
		}
	}

	private static ChildProcess host(int index, Path file, RedisNodes nodes) {
		List<String> arguments = new ArrayList<>(List.of("--jobs.clock=" + CLOCKS[index], "--jobs.host=host-" + index,
				"--jobs.file=" + file, "--redlock.ttl=2s", "--redlock.max-ttl=2s", "--redlock.wait-for=2s",
				"--redlock.node-timeout=300ms", "--redlock.jobs.clock-difference=400ms", "--redlock.key-prefix=it:"));
		for (String argument : ShutdownTests.arguments(nodes)) {
			if (!argument.contains("restart-guard")) {
				arguments.add(argument);
			}
		}
		return ChildProcess.start(JobsProcess.class, arguments.toArray(String[]::new));
	}

	/**
	 * What the hosts wrote.
	 *
	 * @param begun how often each tick of each job began
	 * @param done the ticks of each job that ran to their end
	 */
	private record Runs(Map<String, Map<Long, Integer>> begun, Map<String, Set<Long>> done) {

		static Runs read(Path file) throws Exception {
			Runs runs = new Runs(new TreeMap<>(), new TreeMap<>());
			Map<String, Long> last = new HashMap<>();
			for (String line : Files.readAllLines(file)) {
				String[] parts = line.split(" ");
				String at = parts[1] + " " + parts[3];
				if (parts[0].equals("begin")) {
					last.put(at, Long.parseLong(parts[2]));
					runs.begun.computeIfAbsent(parts[1], (job) -> new TreeMap<>())
						.merge(Long.parseLong(parts[2]), 1, Integer::sum);
				}
				else if (last.containsKey(at)) {
					runs.done.computeIfAbsent(parts[1], (job) -> new TreeSet<>()).add(last.get(at));
				}
			}
			return runs;
		}

		int ticks(String jobs) {
			return of(jobs).mapToInt(Map::size).sum();
		}

		long twice(String jobs) {
			return of(jobs).mapToLong((ticks) -> ticks.values().stream().filter((runs) -> runs > 1).count()).sum();
		}

		/**
		 * How many ticks between the first and the last one have no run to its end.
		 */
		long missing(String jobs, long interval) {
			return this.done.entrySet().stream().filter((job) -> job.getKey().startsWith(jobs)).mapToLong((job) -> {
				TreeSet<Long> ticks = new TreeSet<>(job.getValue());
				return (ticks.last() - ticks.first()) / interval + 1 - ticks.size();
			}).sum();
		}

		/**
		 * Whether each of the jobs has run to its end at a time or later.
		 */
		boolean areAllDoneAt(String jobs, long millis) {
			return this.done.entrySet()
				.stream()
				.filter((job) -> job.getKey().startsWith(jobs))
				.allMatch((job) -> new TreeSet<>(job.getValue()).last() >= millis);
		}

		private Stream<Map<Long, Integer>> of(String jobs) {
			return this.begun.entrySet()
				.stream()
				.filter((job) -> job.getKey().startsWith(jobs))
				.map(Map.Entry::getValue);
		}

	}

}
