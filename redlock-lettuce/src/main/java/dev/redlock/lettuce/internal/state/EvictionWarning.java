package dev.redlock.lettuce.internal.state;

import java.util.Map;

import dev.redlock.lettuce.internal.clock.NodeContext;
import dev.redlock.lettuce.internal.facts.ServerFacts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns that a server may evict keys and votes on locks nevertheless, because the
 * operator has accepted evictions.
 */
public final class EvictionWarning {

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private static final String WHAT_IS_LOST = ", because redlock.allow-eviction is true. An eviction may delete a lock "
			+ "that is held, so two holders are possible; a fence counter, so late writes pass; the record of a job, so "
			+ "the job may run twice for one due time; and what a ticket stands for.";

	private EvictionWarning() {
	}

	/**
	 * Logs a warning only if the policy has changed since the last check.
	 */
	static void warn(NodeContext context, @Nullable ServerFacts before, ServerFacts facts) {
		boolean known = before != null && before.evictionPolicy().equals(facts.evictionPolicy());
		if (context.settings().allowEviction() && facts.mayEvict() && !known) {
			logger.warn("{}", text(Map.of(context.node(), facts.evictionPolicy())));
		}
	}

	/**
	 * @param policies the policy of each node whose server may evict keys
	 */
	public static String text(Map<String, String> policies) {
		return "Redlock nodes vote although their servers may evict keys " + policies + WHAT_IS_LOST;
	}

}
