package dev.redlock.lettuce;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.redlock.spi.NodeStatus.State;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static dev.redlock.lettuce.NodeFixture.awaitAsserted;
import static dev.redlock.lettuce.NodeFixture.unguarded;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A node whose server is not where the configuration says.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnreachableTests {

	private static final String NO_HOST = "no-such-host.invalid";

	@AutoClose
	private final NodeFixture fixture = new NodeFixture();

	private final int noServer = FreePort.find();

	@Test
	void aServerThatRefusesConnectionsIsNamedByHostAndPort(CapturedOutput output) {
		RedisLockNode node = this.fixture.lettuce("a", RedisURI.create("127.0.0.1", this.noServer), unguarded());
		assertNames(node, output, "127.0.0.1:" + this.noServer, "Connection refused");
	}

	@ParameterizedTest
	@ValueSource(strings = { "HTTP/1.1 400 Bad Request\r\n\r\n", "\0\0\0\0" })
	void anotherServiceOnThePortIsToldFromRedis(String answer, CapturedOutput output) throws IOException {
		try (ServerSocket service = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			this.fixture.executor.execute(() -> answerAll(service, answer));
			RedisLockNode node = this.fixture.lettuce("a", RedisURI.create("127.0.0.1", service.getLocalPort()),
					unguarded());
			assertNames(node, output, "127.0.0.1:" + service.getLocalPort(),
					"A service other than Redis answers on this port");
		}
	}

	@Test
	void aServerThatIsNoMemberOfAClusterIsToldSo(CapturedOutput output) {
		RedisProcess redis = this.fixture.server();
		RedisLockNode node = this.fixture.cluster("a", redis.uri(), unguarded());
		assertNames(node, output, "127.0.0.1:" + redis.port(), "use host instead of cluster.nodes");
	}

	@Test
	void aPasswordIsNotShownWithThePlace(CapturedOutput output) {
		RedisLockNode node = withoutHosts(RedisURI.create("redis://user:pass-4711@" + NO_HOST + ":6380"));
		assertNames(node, output, NO_HOST + ":6380", "unknown host");
		assertThat(output).doesNotContain("pass-4711");
	}

	@Test
	void membersOfAClusterAreNamedByHostAndPort(CapturedOutput output) {
		RedisURI uri = RedisURI.create("redis://user:pass-4711@127.0.0.1:" + this.noServer);
		RedisLockNode node = this.fixture.cluster("a", uri, unguarded());
		assertNames(node, output, "127.0.0.1:" + this.noServer, "Connection refused");
		assertThat(output).doesNotContain("pass-4711");
	}

	@Test
	void sentinelsAreNamedByHostAndPort(CapturedOutput output) {
		RedisURI uri = RedisURI.Builder.sentinel("127.0.0.1", this.noServer, "locks")
			.withPassword("pass-4711".toCharArray())
			.build();
		RedisLockNode node = this.fixture.lettuce("a", uri, unguarded());
		assertNames(node, output, "127.0.0.1:" + this.noServer, "Connection refused");
		assertThat(output).doesNotContain("pass-4711");
	}

	/**
	 * A node that finds no host, without asking a server for names: that may take long.
	 */
	private RedisLockNode withoutHosts(RedisURI uri) {
		ClientResources resources = this.fixture.resources.clientResources()
			.mutate()
			.addressResolverGroup(new NoHosts())
			.build();
		return this.fixture.lettuce("a", RedisClient.create(resources, uri), unguarded());
	}

	private static void assertNames(RedisLockNode node, CapturedOutput output, String place, String what) {
		node.firstVerdict().toCompletableFuture().orTimeout(1, TimeUnit.MINUTES).join();
		assertThat(node.status().state()).isEqualTo(State.UNAVAILABLE);
		assertThat(node.status().reason()).contains(place).containsIgnoringCase(what);
		awaitAsserted(() -> assertThat(output.getOut().lines())
			.anySatisfy((line) -> assertThat(line).contains("Redlock node '" + node.name() + "' is unavailable")
				.contains(place)));
	}

	private static void answerAll(ServerSocket service, String answer) {
		while (true) {
			try (Socket client = service.accept()) {
				client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
				client.getInputStream().read();
			}
			catch (IOException ex) {
				return;
			}
		}
	}

	private static final class NoHosts extends AddressResolverGroup<InetSocketAddress> {

		@Override
		protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
			return new InetNameResolver(executor) {

				@Override
				protected void doResolve(String host, Promise<InetAddress> address) {
					address.setFailure(new UnknownHostException(host));
				}

				@Override
				protected void doResolveAll(String host, Promise<List<InetAddress>> addresses) {
					addresses.setFailure(new UnknownHostException(host));
				}

			}.asAddressResolver();
		}

	}

}
