package dev.redlock.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import dev.redlock.benchmarks.measure.Lane;
import dev.redlock.benchmarks.measure.Round;
import dev.redlock.benchmarks.measure.Series;
import dev.redlock.benchmarks.measure.Tally;
import dev.redlock.benchmarks.measure.Waits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class RunReportTests {

	private final RunReport report = new RunReport("compare alone", Map.of("Redis", "7.0.15"));

	@TempDir
	private Path out;

	@Test
	void runsAreWrittenBesideEachOther() {
		assertThat(this.report.write(this.out, List.of())).isEqualTo(this.out.resolve("run-1"));
		assertThat(this.report.write(this.out, List.of())).isEqualTo(this.out.resolve("run-2"));
	}

	@Test
	void aRunHasAPageAndItsRounds() throws IOException {
		Path run = this.report.write(this.out, List.of(new Result("alone", "One thread", List.of(part(true)))));
		assertThat(Files.readString(run.resolve("README.md"))).startsWith("# run-1, ")
			.contains("`compare alone`", "| Redis | 7.0.15 |", "## One thread");
		assertThat(Files.readAllLines(run.resolve("rounds.csv"))).hasSize(3)
			.element(1)
			.asString()
			.startsWith("alone,\"floor\",1,100,0,1.000,")
			.endsWith(",true");
	}

	@Test
	void aLockThatDidNotLockIsMarked() {
		Part part = part(false);
		assertThat(part.table().rows().get(0)).last().asString().contains("INEXACT");
		assertThat(part.remarks()).singleElement().asString().contains("two held it at the same time");
	}

	@Test
	void ratiosAreMediansOfTheRatiosOfEachRound() {
		Part part = RateTable.of("t", List.of(lane("floor"), lane("redlock")),
				Map.of("floor", series("floor", true, 100, 10, 50), "redlock", series("redlock", true, 200, 30, 50)));
		assertThat(part.table().rows().get(1).subList(0, 4)).containsExactly("redlock", "50.0", "2.00", "1.00–3.00");
	}

	private static Part part(boolean exact) {
		return RateTable.of("One thread", List.of(lane("floor")), Map.of("floor", series("floor", exact, 100, 200)));
	}

	private static Lane lane(String label) {
		return new Lane(label, "floor", (millis) -> round(1, true));
	}

	private static Series series(String label, boolean exact, long... locks) {
		return new Series(label, java.util.Arrays.stream(locks).mapToObj((count) -> round(count, exact)).toList());
	}

	private static Round round(long locks, boolean exact) {
		return Round.of(new Tally(List.of(locks), 0, 1_000_000_000, new Waits(), ""), exact, locks * 10, locks * 20, 5);
	}

}
