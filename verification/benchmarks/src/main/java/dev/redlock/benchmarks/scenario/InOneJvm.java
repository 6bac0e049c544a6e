package dev.redlock.benchmarks.scenario;

import java.util.List;
import java.util.Set;

import dev.redlock.benchmarks.contender.Library;
import dev.redlock.benchmarks.measure.Lane;
import dev.redlock.benchmarks.measure.Load;
import dev.redlock.benchmarks.report.RateTable;
import dev.redlock.benchmarks.report.Result;

/**
 * Threads of this process on five healthy servers.
 *
 * @param name the name on the command line
 * @param title what is done, in a sentence
 * @param libraries who takes part
 * @param threads how many threads
 * @param shared whether they all want the same lock
 * @param turns how much longer than usual a turn is
 */
record InOneJvm(String name, String title, Set<Library> libraries, int threads, boolean shared,
		double turns) implements Scenario {

	@Override
	public Set<Site> sites() {
		return Set.of(Site.MAIN);
	}

	@Override
	public Result run(Bench bench) {
		Load load = new Load(this.name, this.shared, this.threads, 0);
		List<Lane> lanes = bench.options()
			.among(this.libraries)
			.stream()
			.map((library) -> bench.lane(library.label(), Library.FLOOR.label(), library,
					bench.sites().contender(Site.MAIN, library), bench.sites().servers(Site.MAIN), load))
			.toList();
		return new Result(this.name, this.title,
				List.of(RateTable.of(this.title, lanes, bench.options().rounds().times(this.turns).measure(lanes))));
	}

}
