package dev.redlock.test.containers;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class NeedsDockerTests {

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", "false" })
	void withoutAnEngineTestsAreSkippedAndSaySo(String ci) {
		assertThat(NeedsDocker.Condition.withoutEngine(ci)).satisfies((result) -> {
			assertThat(result.isDisabled()).isTrue();
			assertThat(result.getReason()).hasValueSatisfying(
					(reason) -> assertThat(reason).contains("No Docker engine answers").contains("Start one"));
		});
	}

	@Test
	void inContinuousIntegrationTheyFailInstead() {
		assertThatIllegalStateException().isThrownBy(() -> NeedsDocker.Condition.withoutEngine("true"))
			.withMessageContaining("must run")
			.withMessageContaining("DOCKER_HOST");
	}

}
