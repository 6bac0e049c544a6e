package dev.redlock.benchmarks.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.redlock.benchmarks.contender.Contender;
import dev.redlock.benchmarks.contender.Library;
import dev.redlock.benchmarks.measure.Lane;
import dev.redlock.benchmarks.measure.Load;
import dev.redlock.benchmarks.measure.Series;
import dev.redlock.benchmarks.measure.Stats;
import dev.redlock.benchmarks.report.Format;
import dev.redlock.benchmarks.report.Part;
import dev.redlock.benchmarks.report.Result;
import dev.redlock.benchmarks.report.Table;

/**
 * One thread that pauses between two locks, so that nothing of one overlaps with the
 * next. Compared is how long it takes to get the lock.
 */
final class SpacedLock implements Scenario {

	private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

	private static final List<String> HEADER = List.of("", "wait p50", "ratio", "of rounds", "p99", "max", "failed");

	@Override
	public String name() {
		return "spaced";
	}

	@Override
	public String title() {
		return "One thread, its own lock, 2 ms between two of them";
	}

	@Override
	public Set<Site> sites() {
		return Set.of(Site.MAIN);
	}

	@Override
	public Result run(Bench bench) {
		Load load = new Load(name(), false, 1, 0);
		List<Lane> lanes = bench.options()
			.among(Library.all())
			.stream()
			.map((library) -> bench.lane(library.label(), Library.FLOOR.label(), library,
					new Pausing(bench.sites().contender(Site.MAIN, library)), bench.sites().servers(Site.MAIN), load))
			.toList();
		Map<String, Series> series = bench.options().rounds().measure(lanes);
		Series floor = series.get(Library.FLOOR.label());
		List<List<String>> rows = new ArrayList<>();
		for (Series each : series.values()) {
			double[] ratios = (floor != null) ? Stats.ratios(medians(each), medians(floor)) : new double[0];
			rows.add(List.of(each.label(), Format.micros(Stats.median(medians(each))),
					Format.ratio(Stats.median(ratios)),
					Format.ratio(Stats.min(ratios)) + "–" + Format.ratio(Stats.max(ratios)),
					Format.micros(each.median((round) -> round.tally().waits().micros(0.99))),
					Format.micros(Stats.max(each.each((round) -> round.tally().waits().micros(1)))),
					Long.toString(each.failures())));
		}
		return new Result(name(), title(),
				List.of(new Part(title(), new Table(HEADER, rows), List.of(), List.copyOf(series.values()))));
	}

	private static double[] medians(Series series) {
		return series.each((round) -> round.tally().waits().micros(0.5));
	}

	/**
	 * Pauses after each lock, before the wait for the next one is measured.
	 *
	 * @param contender the lock
	 */
	private record Pausing(Contender contender) implements Contender {

		@Override
		public boolean withLock(String name, Runnable work) {
			boolean locked = this.contender.withLock(name, work);
			LockSupport.parkNanos(PAUSE_NANOS);
			return locked;
		}

		@Override
		public void close() {
			this.contender.close();
		}

	}

}
