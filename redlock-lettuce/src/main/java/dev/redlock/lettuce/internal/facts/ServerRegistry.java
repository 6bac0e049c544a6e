package dev.redlock.lettuce.internal.facts;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

/**
 * Records which node uses which server, so that a server configured for two nodes does
 * not vote twice on a lock.
 */
public final class ServerRegistry {

	private final Map<String, String> nodesByRunId = new HashMap<>();

	private final Map<String, String> duplicates = new ConcurrentHashMap<>();

	/**
	 * Assigns servers to a node, and frees the servers that were assigned to the node
	 * before.
	 * @return why the node may not vote on locks, or null if no other node has its
	 * servers
	 */
	public @Nullable String assign(String node, ServerFacts facts) {
		List<String> runIds = facts.runIds();
		this.nodesByRunId.entrySet()
			.removeIf((entry) -> entry.getValue().equals(node) && !runIds.contains(entry.getKey()));
		this.duplicates.remove(node);
		for (String runId : runIds) {
			String other = this.nodesByRunId.putIfAbsent(runId, node);
			if (other != null && !other.equals(node)) {
				this.duplicates.put(node, other);
				return "The server of this node is also the server of node '" + other + "' (same run_id), and a "
						+ "server may vote only once. Set another server for node '" + node + "', or remove the node.";
			}
		}
		return null;
	}

	public void clear() {
		this.nodesByRunId.clear();
		this.duplicates.clear();
	}

	/**
	 * Returns the nodes that may not vote on locks, each with the node that votes for the
	 * same server.
	 */
	public Map<String, String> duplicates() {
		return Map.copyOf(this.duplicates);
	}

}
