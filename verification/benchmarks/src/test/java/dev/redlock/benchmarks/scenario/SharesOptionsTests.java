package dev.redlock.benchmarks.scenario;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class SharesOptionsTests {

	@Test
	void everythingHasADefault() {
		SharesOptions options = SharesOptions.parse(List.of());
		assertThat(options.jvms()).isEqualTo(2);
		assertThat(options.threads()).isEqualTo(1);
		assertThat(options.site()).isEqualTo(Site.MAIN);
		assertThat(options.holdsMillis()).containsExactly(3, 10, 20, 40, 100);
		assertThat(options.nodeRedlock()).isFalse();
	}

	@Test
	void whatIsNotUnderstoodIsTold() {
		assertThatIllegalArgumentException().isThrownBy(() -> SharesOptions.parse(List.of("--servers", "4")))
			.withMessageContaining("3 or 5");
		assertThatIllegalArgumentException().isThrownBy(() -> SharesOptions.parse(List.of("--holds", "3,long")))
			.withMessageContaining("--holds");
		assertThatIllegalArgumentException().isThrownBy(() -> SharesOptions.parse(List.of("hot")))
			.withMessageContaining("hot");
	}

}
