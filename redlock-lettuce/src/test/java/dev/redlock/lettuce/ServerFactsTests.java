package dev.redlock.lettuce;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ServerFactsTests {

	@ParameterizedTest
	@ValueSource(strings = { "2.8.24", "5.0.14", "6.0.20", "6.1.0", "6.2.0", "6.2.16" })
	void aServerBeforeRedis7IsUnfit(String version) {
		assertThat(facts("redis_version:" + version).unfitBecause()).startsWith("It is older than Redis 7.0")
			.contains("Upgrade it");
	}

	@ParameterizedTest
	@ValueSource(strings = { "redis_version:7.0.0", "redis_version:7.0.15", "redis_version:10.0.1", "server:another" })
	void aNewerOneAndOneThatDoesNotTellItsVersionAreFit(String line) {
		assertThat(facts(line).unfitBecause()).isNull();
	}

	@Test
	void whatReachesTheDiskAtMostTimesOnlyIsNotDurable() {
		assertThat(ServerFacts.appendFsync(Map.of("appendfsync", "always", "no-appendfsync-on-rewrite", "no")::get))
			.isEqualTo("always");
		assertThat(ServerFacts.appendFsync(Map.of("appendfsync", "always", "no-appendfsync-on-rewrite", "yes")::get))
			.isNull();
	}

	private static ServerFacts facts(String line) {
		return ServerFacts.parse("run_id:abc\r\nrole:master\r\n" + line + "\r\n", null);
	}

}
