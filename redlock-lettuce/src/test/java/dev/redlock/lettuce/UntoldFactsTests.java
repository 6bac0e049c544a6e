package dev.redlock.lettuce;

import java.time.Duration;

import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.claim;
import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Servers that do not tell what decides whether they may vote, or whose INFO is that of a
 * proxy. An {@link EditingProxy} stands in for them.
 */
class UntoldFactsTests {

	private static final NodeSettings SETTINGS = NodeFixture.fresh("", Duration.ofSeconds(60));

	private static final String CONSTANT_RUN_ID = "0123456789012345678901234567890123456789";

	@AutoClose
	private final NodeFixture fixture = new NodeFixture();

	private final EditingProxy proxy = this.fixture
		.proxy(this.fixture.server("--appendonly", "yes", "--appendfsync", "always"));

	@ParameterizedTest
	@ValueSource(strings = { "maxmemory_policy", "run_id", "server_time_usec" })
	void whatAServerDoesNotTellCountsAsBad(String field) {
		this.proxy.leaveOut(field);
		LockNode node = await(node(), State.UNFIT);
		assertThat(node.status().reason()).contains(field).contains("Set the address of the instance to ");
		Faulted faulted = (Faulted) vote(node.acquire(claim("k", "t"), this.fixture.fence()));
		assertThat(faulted.fault()).isEqualTo(Fault.MISCONFIGURED);
		assertThat(faulted.detail()).contains(field);
	}

	@Test
	void allThatIsMissingIsToldAtOnceAndTheNodeVotesWhenItIsTold() {
		this.fixture.lookSooner();
		this.proxy.leaveOut("maxmemory_policy", "evicted_keys");
		LockNode node = await(node(), State.UNFIT);
		assertThat(node.status().reason())
			.startsWith("The answer of the server to INFO lacks maxmemory_policy (whether the server may delete a lock "
					+ "that is held), evicted_keys (whether the server has deleted keys). Without these fields, the "
					+ "server is not safe for locks.");
		this.proxy.passAll();
		await(node, State.QUARANTINED);
	}

	@Test
	void aProxyWhoseInfoIsCompleteIsRecognisedByItsRunId() {
		this.proxy.editInfo(UntoldFactsTests::longLived);
		LockNode node = await(node(), State.UNFIT);
		assertThat(node.status().reason()).startsWith("A proxy answers INFO for the server")
			.contains(CONSTANT_RUN_ID)
			.contains("Set the address of the instance to ");
	}

	@Test
	void aServerWhoseScriptsMayNotAskForItsRunIdIsUnfit() {
		String error = "ERR This Redis command is not allowed from script";
		this.proxy.refuse((command) -> command.get(0).equals("EVAL") && command.get(1).contains("run_id"), error);
		LockNode node = await(node(), State.UNFIT);
		assertThat(node.status().reason())
			.startsWith("The lock cannot check the server, because the server refused a command. Redis said: " + error);
	}

	private static String longLived(String info) {
		return info.replaceAll("(?m)^run_id:.*\r\n", "run_id:" + CONSTANT_RUN_ID + "\r\n")
			.replaceAll("(?m)^uptime_in_seconds:.*\r\n", "uptime_in_seconds:244512000\r\n");
	}

	private LockNode node() {
		return this.fixture.lettuce("a", this.proxy.uri(), SETTINGS);
	}

}
