package dev.redlock.lettuce;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.ProtocolVersion;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.awaitAsserted;
import static dev.redlock.lettuce.NodeFixture.claim;
import static dev.redlock.lettuce.NodeFixture.unguarded;
import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Servers that do not accept the user name and password of a node.
 */
@ExtendWith(OutputCaptureExtension.class)
class CredentialsTests {

	@AutoClose
	private final NodeFixture fixture = new NodeFixture();

	@Test
	void aWrongPasswordMakesANodeUnfitAndNamesTheProperty(CapturedOutput output) {
		LockNode node = this.fixture.lettuce("a", uri(this.fixture.server("--requirepass", "right"), "wrong"),
				unguarded());
		await(node, State.UNFIT);
		assertThat(node.status().reason())
			.startsWith("The server does not accept the user name or the password (WRONGPASS)")
			.contains("Set redlock.instances.a.password")
			.contains("redlock.instances.a.username")
			.contains("redlock.defaults")
			.doesNotContain("wrong");
		Faulted faulted = (Faulted) vote(node.acquire(claim("k", "t"), this.fixture.fence()));
		assertThat(faulted.fault()).isEqualTo(Fault.MISCONFIGURED);
		awaitAsserted(() -> assertThat(output).contains("Redlock node 'a' is not fit for locks")
			.contains("redlock.instances.a.password"));
	}

	@ParameterizedTest
	@EnumSource(ProtocolVersion.class)
	void aMissingPasswordMakesANodeUnfitAndNamesTheProperty(ProtocolVersion protocol) {
		RedisClient client = RedisClient.create(this.fixture.resources.clientResources(),
				uri(this.fixture.server("--requirepass", "right"), ""));
		client.setOptions(ClientOptions.builder().protocolVersion(protocol).build());
		LockNode node = this.fixture.lettuce("a", client, unguarded());
		await(node, State.UNFIT);
		assertThat(node.status().reason())
			.startsWith("The server asks for a user name or password and got none (NOAUTH)")
			.contains("Set redlock.instances.a.password");
	}

	@Test
	void aWrongPasswordForSentinelsNamesTheirProperty() {
		RedisProcess sentinel = this.fixture.server("--requirepass", "right");
		RedisURI uri = RedisURI.Builder.sentinel("127.0.0.1", sentinel.port(), "locks").build();
		uri.getSentinels().get(0).setCredentialsProvider(() -> Mono.just(RedisCredentials.just(null, "wrong")));
		LockNode node = this.fixture.lettuce("a", uri, unguarded());
		await(node, State.UNFIT);
		assertThat(node.status().reason()).contains("(WRONGPASS)")
			.contains("Set redlock.instances.a.sentinel.password");
	}

	@Test
	void aWrongPasswordForAClusterMakesANodeUnfit() {
		RedisProcess member = this.fixture.server("--cluster-enabled", "yes", "--requirepass", "right");
		LockNode node = this.fixture.cluster("a", uri(member, "wrong"), unguarded());
		await(node, State.UNFIT);
		assertThat(node.status().reason()).contains("(WRONGPASS)").contains("Set redlock.instances.a.password");
	}

	private static RedisURI uri(RedisProcess server, CharSequence password) {
		RedisURI.Builder uri = RedisURI.builder(server.uri());
		return (password.isEmpty() ? uri : uri.withPassword(password)).build();
	}

}
