package dev.redlock.test.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.redlock.spring.autoconfigure.RedlockConnectionDetails;
import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;

/**
 * Connects the application's locks to the embedded Redis servers.
 *
 * @param guarded whether a restarted server waits before it votes on locks, because it
 * may have forgotten locks
 */
record EmbeddedRedlockConnectionDetails(RedisNodes redisNodes, boolean guarded) implements RedlockConnectionDetails {

	@Override
	public Map<String, Node> getNodes() {
		Map<String, Node> nodes = new LinkedHashMap<>();
		for (RedisNode node : this.redisNodes.asList()) {
			nodes.put(node.name(), new Node(node.host(), node.port(), null, null));
		}
		return nodes;
	}

	@Override
	public boolean isThrowAway() {
		return !this.guarded;
	}

	@Override
	public boolean isFresh() {
		return true;
	}

}
