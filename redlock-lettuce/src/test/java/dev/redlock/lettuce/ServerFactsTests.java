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
	@ValueSource(strings = { "7.0.0", "7.0.15", "8.6.1", "10.0.1" })
	void aNewerOneIsFit(String version) {
		assertThat(facts("redis_version:" + version).unfitBecause()).isNull();
	}

	@Test
	void oneThatDoesNotTellItsVersionIsUnfit() {
		assertThat(facts("server:another").unfitBecause())
			.contains("redis_version (whether it is older than Redis 7.0)");
	}

	@Test
	void whatReachesTheDiskAtMostTimesOnlyIsNotDurable() {
		assertThat(ServerFacts.appendFsync(Map.of("appendfsync", "always", "no-appendfsync-on-rewrite", "no")::get))
			.isEqualTo("always");
		assertThat(ServerFacts.appendFsync(Map.of("appendfsync", "always", "no-appendfsync-on-rewrite", "yes")::get))
			.isNull();
	}

	private static ServerFacts facts(String line) {
		return ServerFacts.parse("""
				run_id:abc
				role:master
				master_replid:def
				second_repl_offset:-1
				connected_slaves:0
				maxmemory_policy:noeviction
				evicted_keys:0
				cluster_enabled:0
				server_time_usec:1
				""" + line, null);
	}

}
