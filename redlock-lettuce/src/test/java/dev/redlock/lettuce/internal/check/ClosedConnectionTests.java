package dev.redlock.lettuce.internal.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.redlock.lettuce.NodeFixture;
import dev.redlock.lettuce.RedisProcess;
import dev.redlock.lettuce.internal.clock.NodeClocks;
import dev.redlock.lettuce.internal.clock.NodeContext;
import dev.redlock.lettuce.internal.connection.NodeConnection;
import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.lettuce.internal.restart.DataHistory.KnownServer;
import dev.redlock.lettuce.internal.script.ScriptEncoder;
import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a connection still says when the node has closed it.
 */
class ClosedConnectionTests {

	private static final NodeSettings SETTINGS = NodeFixture.unguarded();

	@AutoClose
	private final NodeFixture fixture = new NodeFixture();

	private final List<String> heard = new ArrayList<>();

	@Test
	void aConnectionThatWasClosedReportsNothingMore() {
		RedisProcess redis = this.fixture.server();
		RedisClient client = RedisClient.create(this.fixture.resources.clientResources(), redis.uri());
		NodeConnection connection = connect(client);
		onLoop(() -> {
			connection.listen((key, message) -> this.heard.add("message " + message));
			return connection.subscribe("k").toCompletableFuture();
		}).join();
		redis.ask((commands) -> commands.publish("k", "first"));
		NodeFixture.awaitAsserted(() -> assertThat(onLoop(() -> List.copyOf(this.heard))).hasSize(1));
		CompletableFuture<Void> closed = onLoop(() -> {
			// The answer and the message are on their way when the connection is closed.
			redis.ask((commands) -> commands.publish("k", "second"));
			connection.check(KnownServer.NONE);
			return connection.close();
		});
		assertThat(closed).succeedsWithin(NodeFixture.BOUND);
		this.fixture.awaitWritten();
		assertThat(onLoop(() -> List.copyOf(this.heard))).containsExactly("message first");
		client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
	}

	private NodeConnection connect(RedisClient client) {
		NodeContext context = this.fixture.context("node", SETTINGS, this.fixture.loop, this.fixture.ticker);
		ServerCheck check = new ServerCheck(context, new NodeClocks(context, () -> null, (step) -> false));
		NodeConnection connection = new LettuceConnector(client, 0, context, new ScriptEncoder(SETTINGS), Runnable::run)
			.connect(check);
		onLoop(() -> {
			connection.start((why) -> this.heard.add("lost " + why), (error) -> this.heard.add("refused " + error));
			return Map.of();
		});
		return connection;
	}

	private <T> T onLoop(Supplier<T> task) {
		return CompletableFuture.supplyAsync(task, this.fixture.loop).join();
	}

}
