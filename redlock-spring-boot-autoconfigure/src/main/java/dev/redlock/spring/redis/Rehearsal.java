package dev.redlock.spring.redis;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens once, when a node is first connected, so that a user who may not listen is told
 * then and not when somebody waits. No command tells of this right but the one that needs
 * it, and that needs a connection of its own, which is closed at once.
 */
final class Rehearsal {

	private static final Logger log = LoggerFactory.getLogger(Rehearsal.class);

	private final String node;

	private final String prefix;

	private final boolean sharded;

	private final Function<Subscriptions.Listener, Subscriptions> connector;

	private final Executor executor;

	private final RightsWatch watch;

	private final AtomicBoolean begun = new AtomicBoolean();

	Rehearsal(String node, String prefix, boolean sharded, Function<Subscriptions.Listener, Subscriptions> connector,
			Executor executor) {
		this.node = node;
		this.prefix = prefix;
		this.sharded = sharded;
		this.connector = connector;
		this.executor = executor;
		this.watch = new RightsWatch(node);
	}

	/**
	 * The node is connected; not for the first time, perhaps.
	 */
	void connected() {
		if (this.begun.compareAndSet(false, true)) {
			try {
				this.executor.execute(this::listen);
			}
			catch (RejectedExecutionException ex) {
				log.debug("Redlock node '{}' is not listened to, since its threads are gone", this.node);
			}
		}
	}

	private void listen() {
		try {
			Subscriptions made = this.connector.apply(Subscriptions.Listener.NOBODY);
			String channel = RightsCheck.channel(this.prefix);
			Set<Right> missing = EnumSet.noneOf(Right.class);
			refused(made.subscribe(channel), Right.SUBSCRIBE, missing)
				.thenCompose((done) -> refused(made.unsubscribe(channel), Right.UNSUBSCRIBE, missing))
				.whenComplete((done, failure) -> {
					made.close();
					this.watch.look(MissingRights.of(missing, this.prefix, this.sharded));
				});
		}
		catch (RuntimeException ex) {
			// Whoever waits will try again.
			log.debug("Redlock node '{}' could not be listened to", this.node, ex);
		}
	}

	private static CompletionStage<@Nullable Void> refused(CompletionStage<Void> asked, Right right,
			Set<Right> missing) {
		return asked.handle((done, ex) -> {
			Throwable cause = (ex instanceof CompletionException && ex.getCause() != null) ? ex.getCause() : ex;
			String error = (cause != null) ? String.valueOf(cause.getMessage()) : "";
			// The right to the channels was tried with PUBLISH.
			if (ServerErrors.isNoPermission(error) && ServerErrors.isAboutCommand(error)) {
				missing.add(right);
			}
			return null;
		});
	}

}
