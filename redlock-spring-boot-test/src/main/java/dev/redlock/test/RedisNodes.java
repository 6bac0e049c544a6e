package dev.redlock.test;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Several independent Redis servers for a test, named "a", "b", "c" and so on.
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
	 * Starts 1 to 26 servers on free ports and waits until all servers answer.
	 */
	public static RedisNodes start(int count) {
		if (count < 1 || count > MOST_NODES) {
			throw new IllegalArgumentException(
					"The number of nodes must be from 1 to " + MOST_NODES + ", not " + count);
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
	 * Returns the server at a position in the order of names, from 0.
	 */
	public RedisNode get(int index) {
		return this.nodes.get(index);
	}

	/**
	 * Returns the server with the given name, such as "a".
	 */
	public RedisNode get(String name) {
		return this.nodes.stream()
			.filter((node) -> node.name().equals(name))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("No node is named " + name + ". The nodes are " + this));
	}

	/**
	 * Returns all servers in the order of their names.
	 */
	public List<RedisNode> asList() {
		return this.nodes;
	}

	/**
	 * Makes all servers answer again: thaws frozen servers, reconnects cut-off servers,
	 * and restarts killed servers empty.
	 */
	public void heal() {
		this.nodes.forEach(RedisNode::heal);
	}

	/**
	 * Stops all servers.
	 */
	@Override
	public void close() {
		this.nodes.forEach(RedisNode::close);
	}

	@Override
	public String toString() {
		return this.nodes.stream().map(RedisNode::toString).collect(Collectors.joining(", "));
	}

}
