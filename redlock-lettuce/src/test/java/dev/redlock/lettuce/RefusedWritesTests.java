package dev.redlock.lettuce;

import java.time.Duration;
import java.util.List;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.spi.NodeStatus.State;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static dev.redlock.lettuce.NodeFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Servers that begin to refuse writes while their nodes are ready.
 */
class RefusedWritesTests {

	private static final Duration MAX_TTL = Duration.ofSeconds(60);

	@AutoClose
	private final TwoClients clients = new TwoClients(NodeFixture.fresh("", MAX_TTL));

	@Test
	void serversThatTakeNoWritesAreUnfitAndSayWhyUntilTheyTakeThemAgain() {
		TwoClients.Client client = this.clients.connect().awaitReady();
		client.attempt().orThrow().close();
		setOnAll("maxmemory", "1");
		assertThat(client.attempt().lease()).isEmpty();
		client.nodes().forEach((node) -> {
			await(node, State.UNFIT);
			assertThat(node.status().reason()).contains("OOM");
		});
		assertThat(client.redlock().quorum().isReached()).isFalse();
		setOnAll("maxmemory", "0");
		client.awaitReady();
		client.attempt().orThrow().close();
	}

	@Test
	void aLeaseThatIsHeldIsStillExtendedByServersThatAreFull() {
		TwoClients.Client client = this.clients.connect().awaitReady();
		Lease lease = client.attempt().orThrow();
		setOnAll("maxmemory", "1");
		assertThat(client.redlock().attemptAndWait(LockRequest.of("another")).lease()).isEmpty();
		client.nodes().forEach((node) -> await(node, State.UNFIT));
		assertThat(lease.extend(MAX_TTL)).isTrue();
	}

	@Test
	void aLeaseThatIsHeldIsStillExtendedAndReleasedAfterTheConnectionsToFullServersBroke() {
		TwoClients.Client client = this.clients.connect().awaitReady();
		Lease lease = client.attempt().orThrow();
		setOnAll("maxmemory", "1");
		List.of(0, 1, 2).forEach((i) -> this.clients.server(i).command("CLIENT", "KILL", "TYPE", "normal"));
		Awaitility.await().until(() -> lease.extend(MAX_TTL));
		assertThat(lease.releaseAsync().toCompletableFuture().join().confirmed()).isTrue();
	}

	private void setOnAll(String setting, String value) {
		List.of(0, 1, 2).forEach((i) -> this.clients.server(i).ask((commands) -> commands.configSet(setting, value)));
	}

}
