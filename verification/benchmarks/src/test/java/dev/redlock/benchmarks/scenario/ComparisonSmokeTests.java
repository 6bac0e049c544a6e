package dev.redlock.benchmarks.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

import dev.redlock.benchmarks.measure.Series;
import dev.redlock.benchmarks.measure.SharedCounter;
import dev.redlock.benchmarks.report.Result;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * That the command works, on real servers and with child processes. How fast anything is
 * does not matter here.
 */
@Tag("slow")
class ComparisonSmokeTests {

	@TempDir
	private Path out;

	@Test
	void aShortRunComesToItsEndAndIsWritten() throws IOException {
		Options options = Options
			.parse(List.of("alone", "hot", "frozen", "--contenders", "floor,redlock", "--rounds", "1", "--round-millis",
					"200", "--warm-up-millis", "200", "--max-ttl-millis", "3000", "--out", this.out.toString()));
		assertThat(Comparison.run(options, "compare")).isTrue();
		Path run = this.out.resolve("run-1");
		assertThat(Files.readString(run.resolve("README.md"))).contains("| `floor` | ", "| `redlock` | ",
				"| `redlock frozen` | ");
		// Two each of alone and hot, four of frozen, and the columns.
		assertThat(Files.readAllLines(run.resolve("rounds.csv"))).hasSize(9);
	}

	@Test
	void otherProcessesTakePart() {
		Options options = Options.parse(List.of("--contenders", "floor", "--rounds", "1", "--round-millis", "200",
				"--warm-up-millis", "200", "--max-ttl-millis", "30000"));
		try (Sites sites = Sites.start(Set.of(Site.MAIN), options.terms())) {
			Result result = new HotOverJvms(2, 1).run(new Bench(options, sites, SharedCounter.create()));
			assertThat(result.parts()).singleElement().satisfies((part) -> {
				assertThat(part.remarks()).isEmpty();
				assertThat(part.series()).extracting(Series::label).containsExactly("floor, one JVM", "floor");
				assertThat(part.series()).allSatisfy((series) -> assertThat(series.exact()).isTrue());
			});
		}
	}

}
