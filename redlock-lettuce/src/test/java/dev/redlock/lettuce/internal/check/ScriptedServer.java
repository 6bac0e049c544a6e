package dev.redlock.lettuce.internal.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import dev.redlock.lettuce.internal.clock.NodeClocks;
import dev.redlock.lettuce.internal.connection.NodeConnection;
import dev.redlock.lettuce.internal.connection.ServerReport;
import dev.redlock.lettuce.internal.facts.ServerFacts;
import dev.redlock.lettuce.internal.restart.DataHistory;
import dev.redlock.lettuce.internal.restart.DataHistory.KnownServer;
import dev.redlock.lettuce.internal.script.Marker;
import dev.redlock.lettuce.internal.script.ScriptCall;
import dev.redlock.memory.ManualTime;
import dev.redlock.spi.Vote;
import org.jspecify.annotations.Nullable;

/**
 * A server that a node connects to, whose answers a test gives one by one.
 */
public final class ScriptedServer implements NodeConnector {

	/** The connections that were made, the latest one last. */
	public final List<Link> links = new ArrayList<>();

	/** What happens to attempts to connect; null if they succeed. */
	@Nullable RuntimeException unreachable;

	/** How often the node tried to connect. */
	int tries;

	public @Nullable NodeClocks clocks;

	/** Decides when a connection is made. */
	Executor executor = Runnable::run;

	/**
	 * Returns facts that are fit for locks.
	 */
	public static ServerFacts facts(String runId) {
		return new ServerFacts(runId, "replid", "master", false, "noeviction", false, false, 0, false, false, 0,
				Set.of());
	}

	/**
	 * Returns the report of a server that others have known for so long.
	 */
	public static ServerReport report(String runId, Duration age) {
		DataHistory history = new DataHistory(new Marker("key", "m"), age, true, 1_000_000);
		return new ServerReport(facts(runId), history, null);
	}

	public Link link() {
		return this.links.get(this.links.size() - 1);
	}

	@Override
	public Executor executor() {
		return this.executor;
	}

	@Override
	public NodeConnection connect(ServerCheck check) {
		this.tries++;
		this.clocks = check.clocks();
		if (this.unreachable != null) {
			throw this.unreachable;
		}
		Link made = new Link();
		this.links.add(made);
		return made;
	}

	@Override
	public String remedy(boolean bySentinel) {
		return bySentinel ? "Change the password for the sentinel" : "Change the password";
	}

	@Override
	public String aclRules() {
		return "+all";
	}

	/**
	 * One connection.
	 */
	public static final class Link implements NodeConnection {

		public final List<CompletableFuture<ServerReport>> checks = new ArrayList<>();

		public final List<CompletableFuture<ServerFacts>> looks = new ArrayList<>();

		public final List<CompletableFuture<@Nullable String>> trials = new ArrayList<>();

		public final List<KnownServer> known = new ArrayList<>();

		/** The subscriptions that were begun and ended, in order. */
		public final List<String> said = new ArrayList<>();

		/** The latest attempt to subscribe to each key. */
		public final Map<String, CompletableFuture<Void>> subscriptions = new HashMap<>();

		/** Receives messages by channel. */
		public BiConsumer<String, @Nullable String> messages = (key, message) -> {
		};

		private Consumer<String> lost = NO_LISTENER;

		private Consumer<String> refused = NO_LISTENER;

		public boolean closed;

		/**
		 * Answers the latest check.
		 */
		public void answer(ManualTime loop, ServerReport report) {
			answer(loop, this.checks, report);
		}

		public void answerLook(ManualTime loop, ServerFacts facts) {
			answer(loop, this.looks, facts);
		}

		/**
		 * Fails the latest check.
		 */
		public void fail(ManualTime loop, RuntimeException failure) {
			loop.execute(() -> this.checks.get(this.checks.size() - 1).completeExceptionally(failure));
		}

		public void lose(ManualTime loop, String why) {
			loop.execute(() -> report(this.lost, why));
		}

		/**
		 * Answers a claim with an error.
		 */
		public void refuse(ManualTime loop, String error) {
			loop.execute(() -> report(this.refused, error));
		}

		/**
		 * A connection that was closed reports nothing more.
		 */
		private void report(Consumer<String> listener, String event) {
			if (!this.closed) {
				listener.accept(event);
			}
		}

		private static <T> void answer(ManualTime loop, List<CompletableFuture<T>> asked, T answer) {
			loop.execute(() -> asked.get(asked.size() - 1).complete(answer));
		}

		private static <T> CompletionStage<T> ask(List<CompletableFuture<T>> asked) {
			CompletableFuture<T> stage = new CompletableFuture<>();
			asked.add(stage);
			return stage;
		}

		@Override
		public void start(Consumer<String> lostListener, Consumer<String> refusedListener) {
			this.lost = lostListener;
			this.refused = refusedListener;
		}

		@Override
		public void listen(BiConsumer<String, @Nullable String> listener) {
			this.messages = listener;
		}

		@Override
		public CompletionStage<Void> subscribe(String key) {
			this.said.add("subscribe " + key);
			CompletableFuture<Void> subscription = new CompletableFuture<>();
			this.subscriptions.put(key, subscription);
			return subscription;
		}

		@Override
		public void unsubscribe(String key) {
			this.said.add("unsubscribe " + key);
		}

		@Override
		public CompletionStage<ServerReport> check(KnownServer life) {
			this.known.add(life);
			return ask(this.checks);
		}

		@Override
		public CompletionStage<ServerFacts> readFacts() {
			return ask(this.looks);
		}

		@Override
		public CompletionStage<@Nullable String> tryTestLock() {
			return ask(this.trials);
		}

		@Override
		public CompletionStage<Vote> run(ScriptCall call) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletableFuture<@Nullable String> marker() {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletableFuture<List<String>> exchange(String fingerprint, String settings, Duration lasting) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletableFuture<Void> close() {
			this.closed = true;
			return CompletableFuture.completedFuture(null);
		}

	}

}
