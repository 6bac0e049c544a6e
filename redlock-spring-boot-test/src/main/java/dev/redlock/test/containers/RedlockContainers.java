package dev.redlock.test.containers;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.testcontainers.containers.GenericContainer;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.utility.DockerImageName;

/**
 * Several independent Redis nodes, named "a", "b", "c" and so on, each in its own Docker
 * container. With {@code @ServiceConnection} these nodes replace
 * {@code redlock.instances}. <pre class="code">
 * &#064;Container
 * &#064;ServiceConnection
 * static RedlockContainers redis = new RedlockContainers(3);
 * </pre>
 * <p>
 * This class is a Testcontainers container only because {@code @ServiceConnection}
 * requires one. It runs no container itself, and settings on it have no effect. Set up
 * the containers of the nodes by {@link #withEachNode(Consumer)}.
 */
public final class RedlockContainers extends GenericContainer<RedlockContainers> {

	/**
	 * The default image of the nodes.
	 */
	public static final String DEFAULT_IMAGE = "redis:7.4-alpine";

	/**
	 * This name is not the name of a Redis image, because Spring Boot would otherwise
	 * treat this object as one Redis server.
	 */
	private static final String NAME = "redlock";

	private static final int MOST_NODES = 26;

	private final List<ContainerNode> nodes;

	private volatile boolean started;

	/**
	 * Describes nodes of the default image.
	 * @param count how many, from 1 to 26
	 */
	public RedlockContainers(int count) {
		this(count, DockerImageName.parse(DEFAULT_IMAGE));
	}

	/**
	 * Describes nodes.
	 * @param count how many, from 1 to 26
	 * @param image an image that runs a Redis server on port 6379
	 */
	public RedlockContainers(int count, DockerImageName image) {
		super(DockerImageName.parse(NAME));
		if (count < 1 || count > MOST_NODES) {
			throw new IllegalArgumentException("From 1 to " + MOST_NODES + " nodes can be started, not " + count);
		}
		this.nodes = IntStream.range(0, count)
			.mapToObj((i) -> new ContainerNode(String.valueOf((char) ('a' + i)), image))
			.toList();
	}

	/**
	 * Changes the container of each node before it is started.
	 * @param change changes the container of a node
	 * @return this object
	 */
	public RedlockContainers withEachNode(Consumer<GenericContainer<?>> change) {
		this.nodes.forEach((node) -> change.accept(node.container()));
		return this;
	}

	/**
	 * Starts all nodes at once and waits until they answer. Nodes that were started stay
	 * as they are.
	 */
	@Override
	public void start() {
		if (this.started) {
			return;
		}
		try {
			Startables.deepStart(this.nodes.stream().map(ContainerNode::container)).join();
			this.started = true;
		}
		catch (RuntimeException ex) {
			stop();
			throw ex;
		}
	}

	/**
	 * Ends all nodes, and removes their containers.
	 */
	@Override
	public void stop() {
		this.started = false;
		this.nodes.forEach(ContainerNode::remove);
	}

	/**
	 * Whether the nodes were started. Some nodes may have been killed since.
	 */
	@Override
	public boolean isRunning() {
		return this.started;
	}

	/**
	 * Returns a name that is not an image.
	 */
	@Override
	public String getDockerImageName() {
		return NAME;
	}

	/**
	 * The node at a position.
	 * @param index the position, from 0
	 * @return the node
	 */
	public ContainerNode get(int index) {
		return this.nodes.get(index);
	}

	/**
	 * The node with a name.
	 * @param name the name, from "a"
	 * @return the node
	 */
	public ContainerNode get(String name) {
		return this.nodes.stream()
			.filter((node) -> node.name().equals(name))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("No node is named " + name + ", there are " + this));
	}

	/**
	 * All nodes in the order of their names.
	 * @return the nodes, unmodifiable
	 */
	public List<ContainerNode> asList() {
		return this.nodes;
	}

	/**
	 * Makes all nodes answer again. Frozen nodes are thawed, and killed nodes are
	 * restarted empty.
	 */
	public void heal() {
		this.nodes.forEach(ContainerNode::heal);
	}

	/**
	 * The text names the nodes.
	 */
	@Override
	public String toString() {
		return this.nodes.stream().map(ContainerNode::toString).collect(Collectors.joining(", "));
	}

	@Override
	public boolean equals(Object other) {
		return this == other;
	}

	@Override
	public int hashCode() {
		return System.identityHashCode(this);
	}

}
