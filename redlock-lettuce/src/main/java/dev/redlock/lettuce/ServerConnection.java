package dev.redlock.lettuce;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Granted;
import io.lettuce.core.RedisCommandExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The connection to one server, whatever carries the commands. Commands are sent in the
 * order of the calls, and at most once.
 * <p>
 * An error of the server fails the stage of a command with a
 * {@link RedisCommandExecutionException}. Each other failure says that there is no
 * answer.
 */
abstract class ServerConnection {

	/** The client id of a connection that does not tell its own. */
	static final long NO_CLIENT_ID = -1;

	private final String place;

	private final NodeClocks clocks;

	private final EventLoop loop;

	private final Ticker ticker;

	private final NodeSettings settings;

	private Consumer<String> lossListener = NodeConnection.NO_LISTENER;

	private Consumer<String> errorListener = NodeConnection.NO_LISTENER;

	private @Nullable LoadedScripts scripts;

	/** The scripts that are being loaded again, or null. */
	private @Nullable LoadedScripts forgotten;

	/** Written on the loop. A command may read it on another thread. */
	private volatile int checks;

	private @Nullable ClockWatch clock;

	private long lastAskedNanos;

	private long lastServerMicros;

	/**
	 * Creates a connection.
	 * @param place identifies the server within its node, also after a restart
	 */
	ServerConnection(String place, NodeContext context, NodeClocks clocks) {
		this.place = place;
		this.clocks = clocks;
		this.loop = context.loop();
		this.ticker = context.ticker();
		this.settings = context.settings();
	}

	/**
	 * Starts to report what happens to the connection.
	 */
	void start(Consumer<String> lost, Consumer<String> refused) {
		this.lossListener = lost;
		this.errorListener = refused;
	}

	/**
	 * Runs a script. The stage never fails.
	 */
	final CompletableFuture<Vote> run(ScriptCall call) {
		LoadedScripts loaded = this.scripts;
		return (loaded != null) ? run(loaded, call) : CompletableFuture.completedFuture(LoadedScripts.NOT_LOADED);
	}

	abstract CompletableFuture<Vote> run(LoadedScripts loaded, ScriptCall call);

	/**
	 * Returns the fields of INFO.
	 */
	abstract CompletableFuture<Map<String, String>> info();

	/**
	 * Returns the settings whose names match a pattern.
	 */
	abstract CompletableFuture<Map<String, String>> config(String pattern);

	/**
	 * Runs a script that answers with texts.
	 */
	abstract CompletableFuture<List<String>> eval(String script, List<String> keys, List<String> arguments);

	/**
	 * Calls a script that was loaded and answers with a list. An error fails the stage
	 * and is not reported.
	 */
	abstract CompletableFuture<?> evalsha(String digest, List<String> keys, List<String> arguments);

	abstract CompletableFuture<?> load(String script);

	/**
	 * Whether the scripts must always answer with a list.
	 */
	abstract boolean takesListsOnly();

	/**
	 * Returns the id that the server gave this connection.
	 */
	CompletableFuture<Long> clientId() {
		return CompletableFuture.completedFuture(NO_CLIENT_ID);
	}

	/**
	 * Closes another connection of this node, if it is a connection of its own.
	 */
	CompletableFuture<?> kill(long clientId) {
		return CompletableFuture.completedFuture(null);
	}

	/**
	 * Reports nothing from now on. The connection is closed next.
	 */
	void stop() {
		this.lossListener = NodeConnection.NO_LISTENER;
		this.errorListener = NodeConnection.NO_LISTENER;
		// Late answers must not consume a step of the clock, which nobody would report.
		this.clock = null;
	}

	/**
	 * Closes the connection after {@link #stop}. Not called on a cluster, which closes
	 * all of its connections together.
	 */
	abstract CompletableFuture<Void> close();

	/**
	 * Tries a call of a script that was loaded, if there is one.
	 */
	CompletableFuture<?> tryOut(ScriptCall call) {
		LoadedScripts loaded = this.scripts;
		if (loaded == null) {
			return CompletableFuture.completedFuture(null);
		}
		return evalsha(loaded.digest(call.script()), call.allKeys(loaded.markerKey(call.script())),
				call.arguments(this.settings));
	}

	/**
	 * Begins a check, during which the node does not vote.
	 */
	void checkBegins() {
		this.checks++;
	}

	/**
	 * Returns how many checks have begun so far.
	 */
	int checks() {
		return this.checks;
	}

	/**
	 * Loads the scripts that are called from now on.
	 */
	CompletableFuture<Void> use(LoadedScripts loaded) {
		// Each later command is sent after the loading.
		this.scripts = loaded;
		return load(loaded);
	}

	/**
	 * Loads scripts again that the server does not know any more, if it is still the same
	 * process. Otherwise reports the error.
	 */
	void forgot(LoadedScripts forgotten, String error) {
		if (this.forgotten == forgotten) {
			return;
		}
		this.forgotten = forgotten;
		eval(ServerFacts.RUN_ID_SCRIPT, List.of(), List.of()).thenCompose((runId) -> {
			boolean same = runId.equals(List.of(forgotten.runId()));
			return same ? load(forgotten) : CompletableFuture.failedFuture(new IllegalStateException(error));
		}).whenComplete((loaded, failure) -> {
			this.forgotten = null;
			if (failure != null) {
				refused(error);
			}
		});
	}

	/**
	 * Reads the marker and renews its ttl. Notices a marker that is not the one of the
	 * last check, even while there are no lock operations.
	 */
	CompletableFuture<@Nullable String> marker() {
		CompletableFuture<List<String>> asked = eval(Marker.READ, List.of(Marker.key(this.settings.keyPrefix())),
				List.of(Long.toString(this.settings.retention().toMillis())));
		return asked.<@Nullable String>thenApply((answer) -> {
			String id = answer.get(0);
			if (this.scripts != null && !this.scripts.areFor(id)) {
				refused(Marker.CHANGED);
				return null;
			}
			return id.isEmpty() ? null : id;
		});
	}

	String place() {
		return this.place;
	}

	EventLoop loop() {
		return this.loop;
	}

	NodeSettings settings() {
		return this.settings;
	}

	/**
	 * Returns the time of this client, by the monotonic clock.
	 */
	long now() {
		return this.ticker.nanoTime();
	}

	/**
	 * Watches the clock of the server from now on, beginning with the last time that it
	 * told.
	 */
	void watch(ClockWatch watch) {
		this.clock = watch;
		observeTime(this.lastAskedNanos, this.lastServerMicros);
	}

	/**
	 * Compares the server's time with the times before, to notice a step of its clock.
	 */
	void observeTime(long askedNanos, long serverMicros) {
		this.lastAskedNanos = askedNanos;
		this.lastServerMicros = serverMicros;
		this.clocks.observe(this.clock, askedNanos, serverMicros);
	}

	/**
	 * Observes the time in a vote, as {@link NodeClocks#judge} does. Reports a release
	 * that could not be announced.
	 */
	Vote judge(Vote vote, long sentNanos, int doubtsBefore) {
		if (vote instanceof Granted granted && granted.listeners() < 0) {
			refused(ServerErrors.UNANNOUNCED);
			return new Granted(granted.fence(), granted.nodeMicros(), -1 - granted.listeners());
		}
		return this.clocks.judge(vote, this.clock, sentNanos, doubtsBefore);
	}

	/**
	 * Returns how many clock steps made a check necessary so far. An answer does not
	 * count if the number changed between the command and the answer.
	 */
	int doubts() {
		return this.clocks.doubts();
	}

	void lost(String why) {
		this.lossListener.accept(why);
	}

	void refused(String error) {
		this.errorListener.accept(error);
	}

	private CompletableFuture<Void> load(LoadedScripts loaded) {
		return CompletableFuture.allOf(Stream.of(LockScript.values())
			.map((script) -> load(loaded.text(script)))
			.toArray(CompletableFuture[]::new));
	}

}
