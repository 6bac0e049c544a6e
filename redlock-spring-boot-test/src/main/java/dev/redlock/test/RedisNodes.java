package dev.redlock.test;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Several independent Redis nodes, named "a", "b", "c" and so on.
 *
 * @see RedisNode
 */
public final class RedisNodes implements AutoCloseable {

	private static final int MOST_NODES = 26;

	private final List<RedisNode> nodes;

	private RedisNodes(List<RedisNode> nodes) {
		this.nodes = List.copyOf(nodes);
	}

	/**
	 * Starts nodes on free ports and waits until all of them answer.
	 * @param count how many, from 1 to 26
	 * @return the nodes
	 * @throws IllegalStateException if one node does not start; the other nodes are ended
	 */
	public static RedisNodes start(int count) {
		if (count < 1 || count > MOST_NODES) {
			throw new IllegalArgumentException("From 1 to " + MOST_NODES + " nodes can be started, not " + count);
		}
		Path executable = RedisBinary.locate();
		List<RedisNode> nodes = new ArrayList<>(count);
		try {
			for (int i = 0; i < count; i++) {
				nodes.add(RedisNode.launch(String.valueOf((char) ('a' + i)), executable));
			}
			nodes.forEach(RedisNode::awaitReady);
			return new RedisNodes(nodes);
		}
		catch (RuntimeException ex) {
			nodes.forEach(RedisNode::close);
			throw ex;
		}
	}

	/**
	 * The node at a position.
	 * @param index the position, from 0
	 * @return the node
	 */
	public RedisNode get(int index) {
		return this.nodes.get(index);
	}

	/**
	 * The node with a name.
	 * @param name the name, from "a"
	 * @return the node
	 */
	public RedisNode get(String name) {
		return this.nodes.stream()
			.filter((node) -> node.name().equals(name))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("No node is named " + name + ", there are " + this));
	}

	/**
	 * All nodes in the order of their names.
	 * @return the nodes, unmodifiable
	 */
	public List<RedisNode> asList() {
		return this.nodes;
	}

	/**
	 * Makes all nodes answer again. Frozen or cut off nodes are thawed and reconnected,
	 * and killed nodes are restarted empty.
	 */
	public void heal() {
		this.nodes.forEach(RedisNode::heal);
	}

	/**
	 * Ends all nodes.
	 */
	@Override
	public void close() {
		this.nodes.forEach(RedisNode::close);
	}

	/**
	 * The text names the nodes and their addresses.
	 */
	@Override
	public String toString() {
		return this.nodes.stream().map(RedisNode::toString).collect(Collectors.joining(", "));
	}

}
