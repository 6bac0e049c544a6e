package dev.redlock.lettuce;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.lettuce.internal.script.Marker;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Granted;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.awaitChecked;
import static dev.redlock.lettuce.NodeFixture.claim;
import static dev.redlock.lettuce.NodeFixture.fresh;
import static dev.redlock.lettuce.NodeFixture.settings;
import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A server that takes the place of another one.
 */
@ExtendWith(OutputCaptureExtension.class)
class ReplacedServerTests {

	@AutoClose
	private final NodeFixture fixture = new NodeFixture();

	/**
	 * The manual failover: the replica is started as master, at the address of the
	 * former.
	 * @param fresh whether a client that never saw the former master asks
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aReplicaThatIsStartedAsTheMasterIsQuarantined(boolean fresh, CapturedOutput output) {
		String[] options = { "--appendonly", "yes", "--appendfsync", "always" };
		try (RedisProcess master = RedisProcess.start(options);
				RedisProcess replica = RedisProcess.start(options);
				NodeFixture others = new NodeFixture()) {
			NodeSettings settings = settings(true, Duration.ofSeconds(4));
			RedisLockNode first = await(this.fixture.lookSooner().lettuce("a", master.uri(), settings), State.READY);
			// A client that is new to a server believes what others have noted for long.
			age(master, Duration.ofHours(1));
			replica.follow(master);
			await(() -> output.getOut().contains("has 1 replica"));
			await(first, State.READY);
			await(() -> noted(replica).contains(" durable=no "));
			// The network between the two breaks.
			replica.ask((commands) -> commands.replicaof("127.0.0.1", FreePort.find()));
			await(() -> output.getOut().contains("has no replicas any more"));
			assertThat(awaitChecked(first)).isEqualTo(State.READY);
			assertThat(vote(first.acquire(claim("k", "holder", Duration.ofSeconds(4)), this.fixture.fence())))
				.isInstanceOf(Granted.class);
			master.kill();
			replica.kill();
			await(first, State.UNAVAILABLE);
			try (RedisProcess promoted = new RedisProcess(master.port(), List.of(options), false)) {
				copy(replica.directory(), promoted.directory());
				promoted.startAgain();
				RedisLockNode node = fresh ? others.lettuce("a", master.uri(), settings) : first;
				assertThat(awaitChecked(node)).isEqualTo(State.QUARANTINED);
				Vote vote = vote(node.acquire(claim("k", "second"), this.fixture.fence()));
				assertThat(vote).isNotInstanceOf(Granted.class);
			}
		}
	}

	/**
	 * A planned failover: the name of the master leads to the promoted server from now
	 * on, and the former master lives on as its replica. Like a Service of Kubernetes or
	 * a name in DNS, the name only matters to new connections.
	 */
	@Test
	void aNodeWhoseMasterWasDemotedFindsTheMasterThatItsNameLeadsToNow() {
		RedisProcess first = this.fixture.server();
		RedisProcess second = this.fixture.server();
		EditingProxy name = this.fixture.proxy(first);
		second.follow(first);
		RedisLockNode node = await(this.fixture.lookSooner().lettuce("a", name.uri(), fresh("", Duration.ofSeconds(1))),
				State.READY);
		second.ask((commands) -> commands.replicaofNoOne());
		name.leadTo(second);
		first.follow(second);
		assertThat(vote(node.acquire(claim("k", "t"), this.fixture.fence()))).isNotInstanceOf(Granted.class);
		await(node, State.READY);
	}

	@Test
	void aDuplicateWhoseNameIsCorrectedVotes() {
		RedisProcess first = this.fixture.server();
		RedisProcess second = this.fixture.server();
		EditingProxy name = this.fixture.proxy(first);
		await(this.fixture.lettuce("a", first.uri(), fresh("", Duration.ofSeconds(1))), State.READY);
		RedisLockNode b = await(this.fixture.lookSooner().lettuce("b", name.uri(), fresh("", Duration.ofSeconds(1))),
				State.UNFIT);
		assertThat(b.status().reason()).contains("Set another server for node 'b'");
		name.leadTo(second);
		await(b, State.READY);
	}

	/**
	 * The planned failover of a cluster of one shard, while no lock is asked for.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	@Tag("slow")
	void aPlannedFailoverOfAnIdleClusterIsFollowed(boolean busy) throws Exception {
		String[] options = { "--cluster-enabled", "yes", "--cluster-node-timeout", "2000" };
		RedisProcess master = this.fixture.server(options);
		RedisProcess replica = this.fixture.server(options);
		master.takeAllSlots();
		replica.ask((commands) -> commands.clusterMeet("127.0.0.1", master.port()));
		String id = master.ask((commands) -> commands.clusterMyId());
		Awaitility.await()
			.atMost(NodeFixture.BOUND)
			.ignoreExceptions()
			.until(() -> "OK".equals(replica.<String>ask((commands) -> commands.clusterReplicate(id))));
		await(() -> replica.ask((commands) -> commands.info("replication").contains("master_link_status:up")));
		RedisURI uri = master.uri();
		uri.setTimeout(Duration.ofMillis(500));
		NodeFixture nodes = busy ? this.fixture : this.fixture.lookSooner();
		RedisLockNode node = await(nodes.cluster("c", uri, fresh("", Duration.ofSeconds(1))), State.READY);
		ask(replica, "CLUSTER FAILOVER TAKEOVER");
		await(() -> master.<Boolean>ask((commands) -> commands.info("replication").contains("role:slave")));
		if (!busy) {
			await(() -> node.status().state() != State.READY);
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(18))
			.until(() -> (busy || node.status().state() == State.READY) && vote(
					node.acquire(claim("k" + System.nanoTime(), "t"), this.fixture.fence())) instanceof Granted);
	}

	/**
	 * The pods of a cluster come back with other addresses.
	 */
	@Test
	@Tag("slow")
	void aClusterWhoseMembersAllHaveNewAddressesIsFoundByItsConfiguredNodes() {
		try (RedisProcess first = RedisProcess.start("--cluster-enabled", "yes");
				RedisProcess second = RedisProcess.prepare("--cluster-enabled", "yes")) {
			first.takeAllSlots();
			List<RedisURI> uris = List.of(first.uri(), second.uri());
			uris.forEach((uri) -> uri.setTimeout(Duration.ofMillis(500)));
			RedisLockNode node = await(this.fixture.lettuce("cluster",
					RedisClusterClient.create(this.fixture.resources.clientResources(), uris), NodeFixture.unguarded()),
					State.READY);
			first.kill();
			await(node, State.UNAVAILABLE);
			second.startAgain();
			second.takeAllSlots();
			await(node, State.READY);
		}
	}

	private static String ask(RedisProcess server, String command) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
			socket.getOutputStream().write((command + "\r\n").getBytes());
			byte[] answer = new byte[1000];
			return new String(answer, 0, socket.getInputStream().read(answer));
		}
	}

	private static String noted(RedisProcess server) {
		return server.ask((commands) -> commands.get(Marker.sinceKey("")));
	}

	/**
	 * Sets back the moment since when clients have known a server.
	 */
	private static void age(RedisProcess server, Duration by) {
		String aged = Pattern.compile("(?<=(server|client)=)\\d+")
			.matcher(noted(server))
			.replaceAll((time) -> Long
				.toString(Long.parseLong(time.group()) - TimeUnit.MILLISECONDS.toMicros(by.toMillis())));
		server.ask((commands) -> commands.set(Marker.sinceKey(""), aged));
	}

	private static void copy(Path from, Path to) {
		try (Stream<Path> files = Files.walk(from)) {
			files.filter((file) -> !file.equals(from)).forEach((file) -> {
				try {
					Files.copy(file, to.resolve(from.relativize(file).toString()));
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			});
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
