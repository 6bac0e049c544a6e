package dev.redlock.lettuce;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.redlock.lettuce.DataHistory.KnownLife;
import dev.redlock.lettuce.FactoryConnection.Looked;
import dev.redlock.spi.EventLoop;
import dev.redlock.spi.Ticker;
import dev.redlock.spi.Vote;
import dev.redlock.spi.Vote.Fault;
import dev.redlock.spi.Vote.Faulted;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a node over a connection factory of the application. Operations run
 * one after the other on the node's own thread, which they block, and their answers are
 * posted to the loop. A broken connection is noticed only when it is used, and commands
 * that a former connection still carries cannot be stopped.
 */
final class FactoryNodeConnection implements NodeConnection {

	private static final Duration PAUSE_WHILE_FULL = Duration.ofSeconds(1);

	private static final Faulted NOT_SENT = new Faulted(Fault.UNAVAILABLE,
			"The server is being checked, or its connection was given up", false);

	private final FactoryConnection connection;

	private final NodeClocks clocks;

	private final ExecutorService worker;

	private final EventLoop loop;

	private final Ticker ticker;

	private Consumer<String> lossListener = NO_LISTENER;

	private Consumer<String> errorListener = NO_LISTENER;

	private @Nullable ClockWatch clock;

	private @Nullable LoadedScripts scripts;

	/** The worker reads these, because an operation may wait long for its turn. */
	private volatile boolean checking;

	private volatile boolean closed;

	FactoryNodeConnection(FactoryConnection connection, NodeClocks clocks, ExecutorService worker,
			NodeContext context) {
		this.connection = connection;
		this.clocks = clocks;
		this.worker = worker;
		this.loop = context.loop();
		this.ticker = context.ticker();
	}

	@Override
	public void start(Consumer<String> lost, Consumer<String> refused) {
		this.lossListener = lost;
		this.errorListener = refused;
	}

	@Override
	public CompletionStage<ServerReport> check(KnownLife known) {
		this.checking = true;
		return askUntilTaken(() -> this.connection.check(known)).whenComplete((checked, failure) -> {
			this.checking = false;
		}).thenApply((checked) -> {
			this.scripts = checked.scripts();
			this.clock = this.clocks.of("", checked.looked().facts());
			observe(checked.looked());
			return checked.report();
		});
	}

	@Override
	public CompletionStage<ServerFacts> look() {
		return askUntilTaken(this.connection::look).thenApply(this::observe);
	}

	@Override
	public CompletionStage<MissingRights> rights() {
		LoadedScripts loaded = this.scripts;
		return askUntilTaken(() -> this.connection.rights(loaded));
	}

	@Override
	public CompletionStage<Vote> run(ScriptCall call) {
		// The scripts are read now and not by the worker: while this waits, another
		// server may take the place of the one that was checked.
		LoadedScripts loaded = this.scripts;
		if (loaded == null) {
			return CompletableFuture.completedFuture(LoadedScripts.NOT_LOADED);
		}
		int doubts = this.clocks.doubts();
		return work(() -> {
			if (this.closed || (call.script().bound() && !mayVote())) {
				return new Answer(NOT_SENT, this.ticker.nanoTime());
			}
			long sentNanos = this.ticker.nanoTime();
			return new Answer(this.connection.run(loaded, call, this::mayVote), sentNanos);
		}).handle((answer, failure) -> (failure != null) ? fault(failure) : vote(call, answer, doubts));
	}

	@Override
	public CompletableFuture<@Nullable String> marker() {
		CompletableFuture<@Nullable String> asked = work(this.connection::marker);
		return asked.<@Nullable String>thenApply((id) -> {
			if (this.scripts != null && !this.scripts.areFor(id)) {
				this.errorListener.accept(Marker.CHANGED);
				return null;
			}
			return id;
		});
	}

	@Override
	public CompletableFuture<List<String>> exchange(String nodeList, Duration lasting) {
		return work(() -> this.connection.exchange(nodeList, lasting));
	}

	@Override
	public CompletableFuture<Void> close() {
		this.lossListener = NO_LISTENER;
		this.errorListener = NO_LISTENER;
		this.clock = null;
		this.closed = true;
		return this.<@Nullable Void>work(() -> {
			this.connection.close();
			return null;
		}).exceptionally((ex) -> {
			closeLater(ex);
			return null;
		});
	}

	/**
	 * Closes the connection although the worker took no more work. Otherwise the pool of
	 * the application would have one connection less.
	 */
	private void closeLater(Throwable failure) {
		if (!(failure instanceof RejectedExecutionException)) {
			return;
		}
		if (this.worker.isShutdown()) {
			Thread closing = new Thread(this.connection::close, "redlock-close");
			closing.setDaemon(true);
			closing.start();
		}
		else {
			this.loop.schedule(PAUSE_WHILE_FULL, this::close);
		}
	}

	private boolean mayVote() {
		return !this.closed && !this.checking;
	}

	private ServerFacts observe(Looked looked) {
		this.clocks.observe(this.clock, looked.sentNanos(), looked.serverMicros());
		return looked.facts();
	}

	private Vote vote(ScriptCall call, Answer answer, int doubtsBefore) {
		if (this.closed && call.script().bound() && answer.vote() != NOT_SENT) {
			return new Faulted(Fault.UNAVAILABLE, "The connection was given up meanwhile", true);
		}
		return this.clocks.judge(answer.vote(), this.clock, answer.sentNanos(), doubtsBefore);
	}

	private Vote fault(Throwable failure) {
		String error = ConnectionErrors.describe(failure);
		if (failure instanceof RejectedExecutionException) {
			return new Faulted(Fault.UNAVAILABLE, "Too many operations wait for the server, or it was closed", false);
		}
		if (!ServerErrors.isFromServer(error)) {
			this.lossListener.accept(error);
			return new Faulted(Fault.UNAVAILABLE, "The connection was lost: " + error, true);
		}
		this.errorListener.accept(error);
		return ServerErrors.fault(error);
	}

	/**
	 * Asks, and asks again while too many operations wait for the server. The connection
	 * is not at fault then.
	 */
	private <T> CompletionStage<T> askUntilTaken(Supplier<T> question) {
		return work(question).exceptionallyCompose((failure) -> {
			if (!(failure instanceof RejectedExecutionException) || this.closed) {
				return CompletableFuture.failedFuture(failure);
			}
			CompletableFuture<@Nullable Void> pause = new CompletableFuture<>();
			this.loop.schedule(PAUSE_WHILE_FULL, () -> pause.complete(null));
			return pause
				.thenCompose((over) -> this.closed ? CompletableFuture.failedFuture(failure) : askUntilTaken(question));
		});
	}

	private <T extends @Nullable Object> CompletableFuture<T> work(Supplier<T> question) {
		CompletableFuture<T> answer = new CompletableFuture<>();
		boolean taken = HelperThreads.call(this.worker, this.loop, question, answer::complete,
				(failure) -> answer.completeExceptionally(translated(failure)));
		if (!taken) {
			answer.completeExceptionally(new RejectedExecutionException());
		}
		return answer;
	}

	/**
	 * Returns the exception that Lettuce would have thrown. Each driver has its own.
	 */
	private static Throwable translated(Throwable failure) {
		String error = ConnectionErrors.describe(failure);
		if (failure instanceof UnfitServerException || ConnectionErrors.credentials(failure) != null) {
			return failure;
		}
		return ServerErrors.isFromServer(error) ? new RedisCommandExecutionException(error)
				: new RedisException(ConnectionErrors.whyNotConnected(failure));
	}

	private record Answer(Vote vote, long sentNanos) {

	}

}
