package dev.redlock.lettuce;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import dev.redlock.spi.EventLoop;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Subscribes once when a node is first connected, so that a missing right to subscribe is
 * reported then and not when a request waits for a lock. Only SUBSCRIBE itself shows this
 * right. It needs a connection of its own, which is closed at once.
 */
final class SubscribeCheck {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private final String node;

	private final String prefix;

	private final SubscriptionConnection.Connector connector;

	private final EventLoop loop;

	private final Executor executor;

	private boolean begun;

	SubscribeCheck(NodeContext context, SubscriptionConnection.Connector connector, Executor executor) {
		this.node = context.node();
		this.prefix = context.settings().keyPrefix();
		this.connector = connector;
		this.loop = context.loop();
		this.executor = executor;
	}

	/**
	 * Runs the check if this is the first connection of the node.
	 */
	void connected() {
		if (this.begun) {
			return;
		}
		this.begun = true;
		boolean taken = HelperThreads.call(this.executor, this.loop,
				() -> this.connector.apply(new SubscriptionConnection.Listener() {
				}), this::subscribe, this::notChecked);
		if (!taken) {
			notChecked(new RejectedExecutionException("No thread is free"));
		}
	}

	private void notChecked(Throwable failure) {
		// The first watch of a key tries again.
		logger.debug("The right of redlock node '{}' to subscribe could not be checked", this.node, failure);
	}

	private void subscribe(SubscriptionConnection made) {
		String channel = RightsCheck.channel(this.prefix);
		Map<Right, String> missing = new EnumMap<>(Right.class);
		refused(made.subscribe(channel), Right.SUBSCRIBE, missing)
			.thenCompose((done) -> refused(made.unsubscribe(channel), Right.UNSUBSCRIBE, missing))
			.whenComplete((done, failure) -> {
				made.close();
				MissingRights.of(missing, this.prefix, made.isSharded()).warn(this.node, null);
			});
	}

	private static CompletionStage<@Nullable Void> refused(CompletionStage<Void> asked, Right right,
			Map<Right, String> missing) {
		return asked.handle((done, ex) -> {
			String error = (ex != null) ? ConnectionErrors.describe(ex) : "";
			// RightsCheck has tried the right to the channels with PUBLISH.
			if (!ServerErrors.isNoPermissionForTarget(error)) {
				RightsCheck.note(right, error, missing);
			}
			return null;
		});
	}

}
