package dev.redlock.test.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.redlock.spring.autoconfigure.RedlockConnectionDetails;
import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;

/**
 * Connects the lock to embedded nodes.
 *
 * @param redisNodes the nodes
 * @param guarded whether a node that may have forgotten locks waits before it votes
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
