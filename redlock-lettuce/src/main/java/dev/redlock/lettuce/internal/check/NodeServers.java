package dev.redlock.lettuce.internal.check;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import dev.redlock.lettuce.internal.connection.NodeConnection;
import dev.redlock.lettuce.internal.connection.ServerConnection;
import dev.redlock.lettuce.internal.connection.ServerReport;
import dev.redlock.lettuce.internal.facts.ServerFacts;
import dev.redlock.lettuce.internal.restart.DataHistory.KnownServer;
import dev.redlock.lettuce.internal.script.Channels;
import dev.redlock.lettuce.internal.script.Marker;
import dev.redlock.lettuce.internal.script.ScriptCall;
import dev.redlock.spi.Vote;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;

/**
 * The Redis connections of a node: one connection to its server, or one connection to
 * each master of a Redis Cluster. On a cluster, each command goes straight to the master
 * of its slot. A redirect would break the order of commands and could reach an unchecked
 * server. When hash slots move to another master, the node connects again.
 */
final class NodeServers implements NodeConnection {

	private final ServerCheck check;

	private final String keyPrefix;

	private final Channels channels;

	private final List<ServerConnection> servers;

	/**
	 * The connection that serves each hash slot, null for a node without a cluster.
	 */
	private final @Nullable ServerConnection @Nullable [] bySlot;

	/**
	 * Lettuce's connection object for the server or for the whole cluster.
	 */
	private final StatefulConnection<String, String> connection;

	NodeServers(ServerCheck check, String keyPrefix, Channels channels, List<ServerConnection> servers,
			@Nullable ServerConnection @Nullable [] bySlot, StatefulConnection<String, String> connection) {
		this.check = check;
		this.keyPrefix = keyPrefix;
		this.channels = channels;
		this.servers = servers;
		this.bySlot = bySlot;
		this.connection = connection;
	}

	List<ServerConnection> servers() {
		return this.servers;
	}

	/**
	 * Returns the connection to the server that stores the keys about the node itself,
	 * such as the {@link Marker}.
	 */
	ServerConnection aboutNode() {
		return serving(Marker.key(this.keyPrefix));
	}

	/**
	 * Returns the connection to the server of a key, or any connection if no master
	 * serves the key's slot.
	 */
	ServerConnection serving(String key) {
		ServerConnection server = (this.bySlot != null) ? this.bySlot[SlotHash.getSlot(key)] : null;
		return (server != null) ? server : this.servers.get(0);
	}

	boolean sharded() {
		return this.bySlot != null;
	}

	Channels channels() {
		return this.channels;
	}

	@Override
	public void start(Consumer<String> lost, Consumer<String> refused) {
		this.servers.forEach((server) -> server.start(lost, refused));
	}

	@Override
	public void listen(BiConsumer<String, @Nullable String> listener) {
		this.servers.forEach(
				(server) -> server.listen((channel, message) -> listener.accept(this.channels.key(channel), message)));
	}

	@Override
	public CompletionStage<Void> subscribe(String key) {
		return serving(key).onChannel(sharded() ? CommandType.SSUBSCRIBE : CommandType.SUBSCRIBE,
				this.channels.of(key));
	}

	@Override
	public void unsubscribe(String key) {
		serving(key).onChannel(sharded() ? CommandType.SUNSUBSCRIBE : CommandType.UNSUBSCRIBE, this.channels.of(key));
	}

	@Override
	public CompletionStage<ServerReport> check(KnownServer known) {
		return this.check.check(this, known);
	}

	@Override
	public CompletionStage<ServerFacts> readFacts() {
		return this.check.readFacts(this);
	}

	@Override
	public CompletionStage<@Nullable String> tryTestLock() {
		return this.check.tryTestLock(this);
	}

	@Override
	public CompletionStage<Vote> run(ScriptCall call) {
		List<String> keys = call.keys();
		return splits(keys) ? new MultiSlotCall(groups(keys), call).run() : serving(keys.get(0)).run(call);
	}

	@Override
	public boolean splits(List<String> keys) {
		return sharded() && keys.size() > 1
				&& keys.stream().mapToInt(SlotHash::getSlot).distinct().limit(2).count() > 1;
	}

	@Override
	public CompletableFuture<@Nullable String> marker() {
		return aboutNode().marker();
	}

	@Override
	public CompletableFuture<List<String>> exchange(String fingerprint, String settings, Duration lasting) {
		return aboutNode().eval(Marker.EXCHANGE,
				List.of(Marker.clientsKey(this.keyPrefix), Marker.sinceKey(this.keyPrefix)),
				List.of(fingerprint, settings, Long.toString(lasting.toMillis())));
	}

	@Override
	public CompletableFuture<Void> close() {
		this.servers.forEach(ServerConnection::stop);
		return this.connection.closeAsync();
	}

	private List<KeyGroup> groups(List<String> keys) {
		Map<Integer, List<String>> keysBySlot = keys.stream()
			.collect(Collectors.groupingBy(SlotHash::getSlot, LinkedHashMap::new, Collectors.toList()));
		return keysBySlot.values().stream().map((group) -> new KeyGroup(serving(group.get(0)), group)).toList();
	}

	/**
	 * Keys of one hash slot, with the server that has these keys.
	 */
	record KeyGroup(ServerConnection server, List<String> keys) {

	}

}
