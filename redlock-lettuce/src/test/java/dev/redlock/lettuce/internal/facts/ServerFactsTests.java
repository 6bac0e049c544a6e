package dev.redlock.lettuce.internal.facts;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ServerFactsTests {

	/** All that a server has to tell but its version. */
	private static final String FACTS = """
			run_id:abc
			role:master
			master_replid:def
			second_repl_offset:-1
			connected_slaves:0
			maxmemory_policy:noeviction
			evicted_keys:0
			cluster_enabled:0
			server_time_usec:1
			""";

	@ParameterizedTest
	@ValueSource(strings = { "2.8.24", "5.0.14", "6.0.20", "6.1.0", "6.2.0", "6.2.16" })
	void aServerBeforeRedis7IsUnfit(String version) {
		assertThat(facts("redis_version:" + version).unfitBecause(false))
			.startsWith("The server is older than Redis 7.0")
			.contains("Upgrade the server");
	}

	@ParameterizedTest
	@ValueSource(strings = { "7.0.0", "7.0.15", "8.6.1", "10.0.1" })
	void aNewerOneIsFit(String version) {
		assertThat(facts("redis_version:" + version).unfitBecause(false)).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "maxmemory_policy", "evicted_keys", "run_id", "master_replid", "second_repl_offset",
			"connected_slaves", "cluster_enabled", "server_time_usec", "role", "redis_version", "evicted_keys:many",
			"connected_slaves:", "server_time_usec:-1" })
	void whatIsNotToldOrNoNumberMakesAServerUnfit(String line) {
		String field = line.split(":")[0];
		String told = ("redis_version:7.0.15\n" + FACTS).replaceAll("(?m)^" + field + ":.*\n", "") + line;
		assertThat(ServerFacts.of(ServerFacts.fields(told), null, false, false).unfitBecause(false)).contains(field);
	}

	@Test
	void whatReachesTheDiskAtMostTimesOnlyIsNotDurable() {
		assertThat(ServerFacts.appendFsync(Map.of("appendfsync", "always", "no-appendfsync-on-rewrite", "no")::get))
			.isEqualTo("always");
		assertThat(ServerFacts.appendFsync(Map.of("appendfsync", "always", "no-appendfsync-on-rewrite", "yes")::get))
			.isNull();
	}

	@Test
	void aClusterWithOneMasterThatIsNotDurableIsNotDurable() {
		ServerFacts durable = master("a", "aof_enabled:1", "always");
		ServerFacts everySecond = master("b", "aof_enabled:1", "everysec");
		assertThat(ServerFacts.combined(List.of(durable, durable)).durable()).isTrue();
		assertThat(ServerFacts.combined(List.of(durable, everySecond)).durable()).isFalse();
		assertThat(ServerFacts.combined(List.of(everySecond, durable)).durable()).isFalse();
		assertThat(ServerFacts.combined(List.of(everySecond, durable)).readOwnFile()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "role:slave", "maxmemory_policy:allkeys-lru", "redis_version:6.2.0", "evicted_keys:?" })
	void aClusterIsAsUnfitAsItsWorstMaster(String fault) {
		ServerFacts fit = master("a", "", null);
		ServerFacts unfit = master("b", fault, null);
		assertThat(unfit.unfitBecause(false)).isNotNull();
		assertThat(ServerFacts.combined(List.of(fit, unfit)).unfitBecause(false)).isEqualTo(unfit.unfitBecause(false));
		assertThat(ServerFacts.combined(List.of(unfit, fit)).unfitBecause(false)).isEqualTo(unfit.unfitBecause(false));
	}

	@ParameterizedTest
	@ValueSource(strings = { "aof_enabled:0", "second_repl_offset:7" })
	void aClusterMayHaveOldDataIfOneOfItsMastersMay(String doubt) {
		ServerFacts current = master("a", "aof_enabled:1", null);
		ServerFacts old = master("b", doubt + "\naof_enabled:1", null);
		assertThat(ServerFacts.combined(List.of(current)).readOwnFile()).isTrue();
		assertThat(ServerFacts.combined(List.of(current, old)).readOwnFile()).isFalse();
		assertThat(ServerFacts.combined(List.of(old, current)).readOwnFile()).isFalse();
	}

	@Test
	void aClusterHasTheReplicasAndTheEvictionsOfAllItsMastersAndOneNameInAnyOrder() {
		ServerFacts one = master("a", "connected_slaves:1\nevicted_keys:5", null);
		ServerFacts other = master("b", "connected_slaves:2\nevicted_keys:7", null);
		ServerFacts cluster = ServerFacts.combined(List.of(other, one));
		assertThat(cluster.replicas()).isEqualTo(3);
		assertThat(cluster.evictedKeys()).isEqualTo(12);
		assertThat(cluster.runIds()).containsExactly("a", "b");
		assertThat(cluster).isEqualTo(ServerFacts.combined(List.of(one, other)));
	}

	@Test
	void evictionsThatAreAllowedMakeAServerNeitherUnfitNorAnotherOne() {
		String told = "redis_version:7.0.15\nmaxmemory_policy:allkeys-lru\nevicted_keys:7\n" + FACTS;
		ServerFacts facts = ServerFacts.of(ServerFacts.fields(told), null, false, true);
		assertThat(facts.mayEvict()).isTrue();
		assertThat(facts.unfitBecause(true)).isNull();
		assertThat(facts.evictedKeys()).isZero();
	}

	/**
	 * The first of two lines for one field counts.
	 */
	private static ServerFacts master(String runId, String lines, String appendFsync) {
		String told = lines + "\nrun_id:" + runId + "\nredis_version:7.0.15\ncluster_enabled:1\n" + FACTS;
		return ServerFacts.of(ServerFacts.fields(told), appendFsync, false, false);
	}

	private static ServerFacts facts(String line) {
		return ServerFacts.of(ServerFacts.fields(FACTS + line), null, false, false);
	}

}
