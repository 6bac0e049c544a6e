package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import dev.redlock.spi.Vote;
import dev.redlock.spring.redis.DataHistory.KnownLife;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a node over Lettuce: asynchronous, in order, at most once.
 */
final class LettuceNodeConnection implements NodeConnection {

	private final ServerConnections connections;

	private final ServerCheck check;

	private final String keyPrefix;

	LettuceNodeConnection(ServerConnections connections, ServerCheck check, String keyPrefix) {
		this.connections = connections;
		this.check = check;
		this.keyPrefix = keyPrefix;
	}

	@Override
	public void start(Consumer<String> lost, Consumer<String> refused) {
		this.connections.servers().forEach((server) -> server.start(lost, refused));
	}

	@Override
	public CompletionStage<ServerReport> check(KnownLife known) {
		return this.check.check(this.connections, known);
	}

	@Override
	public CompletionStage<ServerFacts> look() {
		return this.check.look(this.connections);
	}

	@Override
	public CompletionStage<MissingRights> rights() {
		return this.check.rights(this.connections);
	}

	@Override
	public CompletionStage<Vote> run(LockScript script, List<String> keys, String token, long millis, long fence) {
		ServerConnection server = this.connections.serving(keys);
		if (server != null) {
			return server.run(script, keys, token, millis, fence);
		}
		return new SplitClaim(this.connections.route(keys), token, millis).run(script, fence);
	}

	@Override
	public CompletableFuture<@Nullable String> marker() {
		return this.connections.aboutNode(this.keyPrefix).marker(this.keyPrefix);
	}

	@Override
	public CompletableFuture<@Nullable List<String>> exchange(String nodeList, Duration lasting) {
		return this.connections.aboutNode(this.keyPrefix).exchange(this.keyPrefix, nodeList, lasting);
	}

	@Override
	public CompletableFuture<Void> close() {
		return this.connections.close();
	}

}
