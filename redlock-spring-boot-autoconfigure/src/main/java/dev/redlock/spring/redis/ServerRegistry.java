package dev.redlock.spring.redis;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

/**
 * Knows which node speaks for which server, so that none votes twice.
 */
final class ServerRegistry {

	private final Map<String, String> nodesByRunId = new HashMap<>();

	/** Other threads may ask. */
	private final Map<String, String> duplicates = new ConcurrentHashMap<>();

	/**
	 * Claims servers for a node, and lets go of the servers it claimed before.
	 * @return the node that already speaks for one of them, or null
	 */
	@Nullable String claim(String node, Collection<String> runIds) {
		this.nodesByRunId.entrySet()
			.removeIf((entry) -> entry.getValue().equals(node) && !runIds.contains(entry.getKey()));
		this.duplicates.remove(node);
		for (String runId : runIds) {
			String other = this.nodesByRunId.putIfAbsent(runId, node);
			if (other != null && !other.equals(node)) {
				this.duplicates.put(node, other);
				return other;
			}
		}
		return null;
	}

	/**
	 * The nodes that may not vote, each with the node that votes for its server.
	 */
	Map<String, String> duplicates() {
		return Map.copyOf(this.duplicates);
	}

	static Set<String> runIds(ServerFacts facts) {
		return Set.of(facts.runId().split("\\+"));
	}

	static String message(String node, String other) {
		return "Its server is the one of node '" + other + "' (same run_id), and may vote only once. Point '" + node
				+ "' at another server, or remove it.";
	}

}
