package dev.redlock.benchmarks.scenario;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

import dev.redlock.benchmarks.contender.Contender;
import dev.redlock.benchmarks.ensemble.Ensemble;
import dev.redlock.benchmarks.ensemble.EtcdServers;
import dev.redlock.benchmarks.ensemble.RedisServers;
import dev.redlock.benchmarks.ensemble.ZooKeeperServers;
import dev.redlock.benchmarks.measure.Lane;
import dev.redlock.benchmarks.measure.Load;
import dev.redlock.benchmarks.measure.Round;
import dev.redlock.benchmarks.measure.SharedCounter;
import dev.redlock.benchmarks.measure.Stats;
import dev.redlock.benchmarks.measure.Tally;
import dev.redlock.benchmarks.report.Format;
import dev.redlock.benchmarks.report.Machine;
import dev.redlock.benchmarks.report.Part;
import dev.redlock.benchmarks.report.RateTable;
import dev.redlock.benchmarks.report.Result;
import dev.redlock.benchmarks.report.RunReport;
import dev.redlock.benchmarks.report.Table;

/**
 * This library, with servers that keep nothing and with servers that write each change to
 * disk, beside locks on etcd and ZooKeeper, which always do. All servers run at the same
 * time, and the contenders take turns.
 */
public final class Consensus {

	private static final int CROWD = 32;

	private static final int RIVALS = 8;

	private static final List<String> FAULT_HEADER = List.of("", "locks/s before", "after", "longest gap", "of all",
			"failed");

	private final ConsensusOptions options;

	private final Map<Ensemble, Contender> contenders;

	private final SharedCounter counter = SharedCounter.create();

	private final int members;

	private Consensus(ConsensusOptions options, Map<Ensemble, Contender> contenders, int members) {
		this.options = options;
		this.contenders = contenders;
		this.members = members;
	}

	/**
	 * Measures what is asked for and prints the tables. Leaves etcd out where it is not
	 * installed, and says so.
	 * @param options what is asked for
	 * @param command how it was asked for
	 */
	public static void run(ConsensusOptions options, String command) {
		List<Result> results = new ArrayList<>();
		Map<String, String> facts = Machine.describe("see below");
		for (int members : options.members()) {
			List<Ensemble> ensembles = new ArrayList<>();
			Map<Ensemble, Contender> contenders = new LinkedHashMap<>();
			try {
				for (Supplier<Ensemble> start : starts(members)) {
					ensembles.add(start.get());
				}
				ensembles.forEach((ensemble) -> facts.put("servers of " + ensemble.label(), ensemble.version()));
				ensembles.forEach((ensemble) -> contenders.put(ensemble, ensemble.connect(options.terms())));
				results.add(new Consensus(options, contenders, members).measure());
			}
			finally {
				contenders.values().forEach(Contender::close);
				ensembles.forEach(Ensemble::close);
			}
		}
		Path out = options.out();
		if (out != null) {
			System.out.println("\nWritten to " + new RunReport(command, facts).write(out, results));
		}
	}

	private static List<Supplier<Ensemble>> starts(int members) {
		List<Supplier<Ensemble>> starts = new ArrayList<>();
		starts.add(() -> RedisServers.durable(members));
		starts.add(() -> RedisServers.inMemory(members));
		EtcdServers.executable()
			.ifPresentOrElse((etcd) -> starts.add(() -> EtcdServers.start(etcd, members)),
					() -> System.out.println("etcd is left out: it is neither on the path nor named by -D"
							+ EtcdServers.PROPERTY + "=/path/to/etcd"));
		starts.add(() -> ZooKeeperServers.start(ClassPath.ofThisProcess().entries(), members));
		return starts;
	}

	private Result measure() {
		List<Part> parts = new ArrayList<>();
		for (String scenario : this.options.scenarios()) {
			Part part = switch (scenario) {
				case ConsensusOptions.ALONE -> rates("one thread", new Load(scenario, false, 1, 0));
				case ConsensusOptions.OWN_KEYS ->
					rates(CROWD + " threads, each its own lock", new Load(scenario, false, CROWD, 0));
				case ConsensusOptions.HOT -> rates(RIVALS + " threads, one lock", new Load(scenario, true, RIVALS, 0));
				case ConsensusOptions.KILLED ->
					outages("the leader killed (of Redis: a server)", scenario, this.options.faults(), true);
				default -> outages("each member frozen in turn", scenario, this.members, false);
			};
			System.out.print("\n# " + part.heading() + "\n" + part.table().text());
			part.remarks().forEach((remark) -> System.out.println("! " + remark));
			System.out.flush();
			parts.add(part);
		}
		return new Result("consensus-" + this.members, this.members + " servers of each kind", parts);
	}

	private Part rates(String what, Load load) {
		String base = this.contenders.keySet().iterator().next().label();
		List<Lane> lanes = this.contenders.entrySet()
			.stream()
			.map((entry) -> new Lane(entry.getKey().label(), base, (millis) -> round(entry.getValue(), load, millis)))
			.toList();
		return RateTable.of(this.members + " servers, " + what, "locks per second, ratio to " + base, lanes,
				this.options.rounds().measure(lanes));
	}

	private Round round(Contender contender, Load load, long millis) {
		long before = this.counter.get();
		Tally tally = load.lasting(millis).run(contender, load.shared() ? this.counter::increment : () -> {
		});
		boolean exact = !load.shared() || this.counter.get() - before == tally.total();
		// Commands of different servers cannot be compared.
		return new Round(tally, exact, Double.NaN, Double.NaN);
	}

	private Part outages(String what, String name, int times, boolean kill) {
		Map<Ensemble, List<Outage>> outages = new LinkedHashMap<>();
		for (int time = 0; time < times; time++) {
			int member = time;
			this.contenders.forEach((ensemble, contender) -> {
				int victim = kill ? ensemble.leader() : member;
				Outage outage = Outage.of(contender, name,
						kill ? () -> ensemble.kill(victim) : () -> ensemble.freeze(victim));
				ensemble.heal();
				contender.awaitReady();
				outages.computeIfAbsent(ensemble, (key) -> new ArrayList<>()).add(outage);
			});
		}
		List<List<String>> rows = outages.entrySet()
			.stream()
			.map((entry) -> row(entry.getKey().label(), entry.getValue()))
			.toList();
		return new Part(this.members + " servers, " + what, new Table(FAULT_HEADER, rows));
	}

	private static List<String> row(String label, List<Outage> outages) {
		return List.of(label, Format.number(median(outages, Outage::before)),
				Format.number(median(outages, Outage::after)), Format.micros(median(outages, Outage::gapMicros)),
				Format.micros(Stats.min(each(outages, Outage::gapMicros))) + "–"
						+ Format.micros(Stats.max(each(outages, Outage::gapMicros))),
				outages.stream().mapToLong(Outage::failures).sum()
						+ (outages.stream().allMatch(Outage::ended) ? "" : " STUCK"));
	}

	private static double median(List<Outage> outages, ToDoubleFunction<Outage> number) {
		return Stats.median(each(outages, number));
	}

	private static double[] each(List<Outage> outages, ToDoubleFunction<Outage> number) {
		return outages.stream().mapToDouble(number).toArray();
	}

}
