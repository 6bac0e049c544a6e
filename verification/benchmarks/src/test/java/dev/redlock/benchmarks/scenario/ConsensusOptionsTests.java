package dev.redlock.benchmarks.scenario;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ConsensusOptionsTests {

	@Test
	void everythingHasADefault() {
		ConsensusOptions options = ConsensusOptions.parse(List.of());
		assertThat(options.scenarios()).containsExactly("alone", "own-keys", "hot", "leader-killed", "member-frozen");
		assertThat(options.members()).containsExactly(3, 5);
		assertThat(options.out()).isNull();
	}

	@Test
	void unknownScenariosAreTold() {
		assertThatIllegalArgumentException().isThrownBy(() -> ConsensusOptions.parse(List.of("alone", "cold")))
			.withMessageContaining("cold");
	}

}
