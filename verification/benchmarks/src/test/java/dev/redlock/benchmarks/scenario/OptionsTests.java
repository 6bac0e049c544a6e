package dev.redlock.benchmarks.scenario;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.redlock.benchmarks.contender.Library;
import dev.redlock.benchmarks.measure.Rounds;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class OptionsTests {

	@Test
	void everythingHasADefault() {
		Options options = Options.parse(List.of());
		assertThat(options.scenarios()).isEmpty();
		assertThat(options.libraries()).containsExactly(Library.values());
		assertThat(options.rounds()).isEqualTo(new Rounds(5, 1_000, 2_000));
		assertThat(options.terms().ttl()).hasSeconds(30);
		assertThat(options.out()).isNull();
	}

	@Test
	void optionsAndScenariosMayComeInAnyOrder() {
		Options options = Options.parse(List.of("--rounds", "3", "alone", "--contenders", "redlock,floor", "hot",
				"--out", "docs/project/benchmarks", "--max-ttl-millis", "3000"));
		assertThat(options.scenarios()).containsExactly("alone", "hot");
		assertThat(options.rounds().count()).isEqualTo(3);
		assertThat(options.libraries()).containsExactly(Library.FLOOR, Library.REDLOCK);
		assertThat(options.out()).isEqualTo(Path.of("docs/project/benchmarks"));
		assertThat(options.terms().ttl()).isEqualTo(Duration.ofSeconds(3));
	}

	@Test
	void whatIsNotUnderstoodIsToldWithWhatThereIs() {
		assertThatIllegalArgumentException().isThrownBy(() -> Comparison.check(Options.parse(List.of("lukewarm"))))
			.withMessageContaining("lukewarm")
			.withMessageContaining("hot-jvms");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse(List.of("--contenders", "me")))
			.withMessageContaining("redisson-redlock");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse(List.of("--rounds", "many")))
			.withMessageContaining("--rounds");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse(List.of("--rounds", "0")))
			.withMessageContaining("from 1");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse(List.of("--out")))
			.withMessageContaining("needs a value");
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse(List.of("--fast")))
			.withMessageContaining("--fast");
	}

}
