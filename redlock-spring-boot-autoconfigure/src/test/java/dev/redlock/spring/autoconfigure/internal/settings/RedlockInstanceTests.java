package dev.redlock.spring.autoconfigure.internal.settings;

import java.util.Map;

import dev.redlock.spring.autoconfigure.internal.settings.RedlockInstance.Ssl;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which of its properties an instance has from the defaults.
 */
class RedlockInstanceTests {

	private final RedlockProperties.Defaults defaults = new RedlockProperties.Defaults(6380, "lock", "shared",
			new Ssl(null, "redis"));

	@Test
	void anInstanceHasTheDefaultsWhereItHasNothingOfItsOwn() {
		RedlockInstance instance = bind(Map.of("host", "h")).withDefaults(this.defaults);
		assertThat(instance.portOrDefault()).isEqualTo(6380);
		assertThat(instance.username()).isEqualTo("lock");
		assertThat(instance.password()).isEqualTo("shared");
		assertThat(instance.ssl().isOn()).isTrue();
		assertThat(instance.ssl().bundle()).isEqualTo("redis");
	}

	@Test
	void whatAnInstanceSaysItselfWins() {
		RedlockInstance instance = bind(
				Map.of("host", "h", "port", "7000", "username", "me", "password", "mine", "ssl.bundle", "own"))
			.withDefaults(this.defaults);
		assertThat(instance.portOrDefault()).isEqualTo(7000);
		assertThat(instance.username()).isEqualTo("me");
		assertThat(instance.password()).isEqualTo("mine");
		assertThat(instance.ssl().bundle()).isEqualTo("own");
	}

	@Test
	void thePasswordThatInstancesShareIsNotSentForAnotherUser() {
		RedlockInstance instance = bind(Map.of("host", "h", "username", "me")).withDefaults(this.defaults);
		assertThat(instance.username()).isEqualTo("me");
		assertThat(instance.password()).isNull();
	}

	@Test
	void anEmptyPasswordKeepsWhatInstancesShareFromAServer() {
		RedlockInstance instance = bind(Map.of("host", "h", "password", "")).withDefaults(this.defaults);
		assertThat(instance.username()).isNull();
		assertThat(instance.password()).isEmpty();
	}

	@Test
	void anInstanceMayTurnOffTheTlsThatOthersShare() {
		RedlockInstance instance = bind(Map.of("host", "h", "ssl.enabled", "false")).withDefaults(this.defaults);
		assertThat(instance.ssl().isOn()).isFalse();
	}

	@Test
	void anInstanceWithoutDefaultsHasTheUsualPortAndNoTls() {
		RedlockInstance instance = bind(Map.of("host", "h"));
		assertThat(instance.portOrDefault()).isEqualTo(6379);
		assertThat(instance.ssl().isOn()).isFalse();
	}

	@Test
	void defaultsShowNoCredentials() {
		assertThat(this.defaults).asString().doesNotContain("lock", "shared").contains("6380", "redis");
	}

	private static RedlockInstance bind(Map<String, String> properties) {
		return new Binder(new MapConfigurationPropertySource(properties)).bind("", RedlockInstance.class).get();
	}

}
