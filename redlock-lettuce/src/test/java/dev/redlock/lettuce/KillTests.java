package dev.redlock.lettuce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.redlock.spi.LockNode;
import dev.redlock.spi.NodeStatus.State;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static dev.redlock.lettuce.NodeFixture.await;
import static dev.redlock.lettuce.NodeFixture.claim;
import static dev.redlock.lettuce.NodeFixture.settings;
import static dev.redlock.lettuce.NodeFixture.vote;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which connections a client has the server close. Before Redis 7.0, CLIENT KILL ID 0
 * closes all of them, also those of others.
 */
class KillTests {

	/**
	 * The largest number that Redis takes for an id. It counts up from one.
	 */
	private static final String ID_THAT_NO_CLIENT_HAS = "9223372036854775807";

	@AutoClose
	private final NodeFixture fixture = new NodeFixture();

	private final RedisProcess redis = this.fixture.server();

	@BeforeEach
	void logAllCommands() {
		// Unlike MONITOR, the log also tells of CLIENT KILL.
		this.redis.ask((commands) -> commands.configSet("slowlog-max-len", "10000"));
		this.redis.ask((commands) -> commands.configSet("slowlog-log-slower-than", "0"));
	}

	@Test
	void theTrialOfTheRightToKillNamesAnIdThatNoClientHas() {
		await(this.fixture.lettuce("a", this.redis.uri(), settings(true, Duration.ofMillis(200))), State.READY);
		assertThat(killed()).containsOnly(ID_THAT_NO_CLIENT_HAS);
	}

	@Test
	void afterABrokenConnectionOnlyTheFormerOneIsKilled() {
		LockNode node = await(this.fixture.lettuce("a", this.redis.uri(), settings(true, Duration.ofMillis(200))),
				State.READY);
		String former = idOfTheNode();
		this.redis.command("CLIENT", "KILL", "ID", former);
		await(() -> killed().lastIndexOf(former) > killed().indexOf(former));
		await(node, State.READY);
		assertThat(killed()).containsOnly(ID_THAT_NO_CLIENT_HAS, former);
	}

	/**
	 * Commands of the first connection may still be under way while its kill was not
	 * answered.
	 */
	@Test
	void aConnectionWhoseKillWasNotAnsweredIsKilledOverTheNextConnection() {
		EditingProxy proxy = this.fixture.proxy(this.redis);
		LockNode node = await(this.fixture.lettuce("a", proxy.uri(), settings(true, Duration.ofMillis(200))),
				State.READY);
		String former = idOfTheNode();
		AtomicBoolean broken = new AtomicBoolean();
		proxy.breakAt(
				(command) -> command.contains("KILL") && command.contains(former) && broken.compareAndSet(false, true));
		this.redis.command("CLIENT", "KILL", "ID", former);
		// The proxy hears of it by the next command.
		vote(node.acquire(claim("k", "t"), this.fixture.fence()));
		await(broken::get);
		await(() -> killed().lastIndexOf(former) > killed().indexOf(former));
		await(node, State.READY);
	}

	/**
	 * The id of the connection that carries the commands of the node.
	 */
	private String idOfTheNode() {
		return this.redis.<String>ask((commands) -> commands.clientList())
			.lines()
			.filter((line) -> !line.contains(" cmd=client|list "))
			.map((line) -> line.replaceFirst("^id=(\\d+) .*", "$1"))
			.findFirst()
			.orElseThrow();
	}

	/**
	 * The ids of all CLIENT KILL that the server was sent, the oldest first.
	 */
	private List<String> killed() {
		List<String> ids = new ArrayList<>();
		for (Object entry : this.redis.<List<Object>>ask((commands) -> commands.slowlogGet(10_000))) {
			List<?> words = (List<?>) ((List<?>) entry).get(3);
			if (words.size() == 4 && words.subList(0, 3).equals(List.of("CLIENT", "KILL", "ID"))) {
				ids.add(0, String.valueOf(words.get(3)));
			}
		}
		return ids;
	}

}
