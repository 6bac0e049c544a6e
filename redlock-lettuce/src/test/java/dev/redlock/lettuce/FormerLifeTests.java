package dev.redlock.lettuce;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.stream.Stream;

import dev.redlock.Lease;
import dev.redlock.lettuce.internal.script.Marker;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import org.junit.jupiter.api.Test;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.awaitChecked;
import static dev.redlock.lettuce.NodeFixture.settings;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A server crashes and loses the last lock that it granted, and is then started with
 * settings that lose nothing. Only the life that was lost says whether locks were lost.
 */
class FormerLifeTests {

	private static final Duration MAX_TTL = Duration.ofSeconds(4);

	private static final Duration SHORT_TTL = Duration.ofSeconds(1);

	private static final String[] ONCE_A_SECOND = { "--appendonly", "yes", "--appendfsync", "everysec" };

	private static final String[] ALWAYS = { "--appendonly", "yes", "--appendfsync", "always" };

	@Test
	void aServerThatLostTheLastSecondAndIsDurableSinceThenDoesNotVoteForAClientThatKnewIt() throws IOException {
		try (TwoClients clients = new TwoClients(settings(true, MAX_TTL), ONCE_A_SECOND)) {
			TwoClients.Client first = clients.connect();
			TwoClients.Client second = clients.connect();
			first.awaitReady();
			second.awaitReady();
			Lease lease = holdAndLose(clients, first);
			second.getsNoLockWhileValid(lease);
		}
	}

	/**
	 * A limit that {@code docs/project/safety.md} tells: the crash takes the record
	 * along.
	 */
	@Test
	void aFreshClientTrustsAServerWhoseRecordOfItsChangeWasLost() {
		try (RedisProcess redis = RedisProcess.start(ALWAYS)) {
			try (NodeFixture fixture = new NodeFixture().lookSooner()) {
				await(fixture.lettuce("a", redis.uri(), settings(true, SHORT_TTL)), State.READY);
				redis.ask((commands) -> commands.configSet("appendonly", "no"));
				await(() -> record(redis).contains(" durable=no "));
				redis.ask((commands) -> commands.set("lock", "token"));
			}
			redis.kill();
			redis.startAgain();
			assertThat(redis.<Long>ask((commands) -> commands.exists("lock"))).as("locks that survived").isZero();
			assertThat(record(redis)).contains(" durable=yes ");
			try (NodeFixture fresh = new NodeFixture()) {
				LockNode node = fresh.lettuce("a", redis.uri(), settings(true, SHORT_TTL));
				assertThat(awaitChecked(node)).isEqualTo(State.READY);
			}
		}
	}

	private static String record(RedisProcess redis) {
		return redis.<String>ask((commands) -> commands.get(Marker.sinceKey("")));
	}

	/**
	 * Takes the lock; then one server crashes before that has reached its disk, and comes
	 * back with other settings.
	 */
	private static Lease holdAndLose(TwoClients clients, TwoClients.Client client) throws IOException {
		RedisProcess server = clients.server(TwoClients.FORGETFUL);
		Path file = log(server);
		await(() -> Files.readString(file).contains(Marker.sinceKey("")));
		long length = file.toFile().length();
		Lease lease = clients.holdOnABareMajority(client);
		await(() -> file.toFile().length() > length);
		server.kill();
		truncate(file, length);
		server.startAgain(ALWAYS);
		assertThat(server.<Long>ask((redis) -> redis.exists("r"))).as("locks that survived").isZero();
		return lease;
	}

	private static Path log(RedisProcess server) throws IOException {
		try (Stream<Path> files = Files.walk(server.directory())) {
			return files.filter((file) -> file.toString().endsWith(".incr.aof")).findFirst().orElseThrow();
		}
	}

	private static void truncate(Path file, long length) throws IOException {
		try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
			channel.truncate(length);
		}
	}

}
