package dev.redlock.test.containers;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.testcontainers.containers.GenericContainer;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.utility.DockerImageName;

/**
 * Several independent Redis servers, named "a", "b", "c" and so on, each in its own
 * Docker container. With {@code @ServiceConnection} on the field, the containers replace
 * {@code redlock.instances}. <pre class="code">
 * &#064;Container
 * &#064;ServiceConnection
 * static RedlockContainers redis = new RedlockContainers(3);
 * </pre>
 * <p>
 * This class extends {@code GenericContainer} only because {@code @ServiceConnection}
 * requires a container. Configure the containers of the servers by
 * {@link #withEachNode(Consumer)}, because settings of this object have no effect.
 */
public final class RedlockContainers extends GenericContainer<RedlockContainers> {

	/**
	 * The default Docker image of the Redis servers.
	 */
	public static final String DEFAULT_IMAGE = "redis:7.4-alpine";

	/**
	 * The image name of this object, which Spring Boot must not take for a single Redis
	 * server.
	 */
	private static final String NAME = "redlock";

	private static final int MOST_NODES = 26;

	private final List<ContainerNode> nodes;

	private volatile boolean started;

	/**
	 * Defines 1 to 26 servers with the default image, which {@link #start()} starts.
	 */
	public RedlockContainers(int count) {
		this(count, DockerImageName.parse(DEFAULT_IMAGE));
	}

	/**
	 * Defines 1 to 26 servers with the given image, which {@link #start()} starts.
	 * @param image a Docker image that runs a Redis server on port 6379
	 */
	public RedlockContainers(int count, DockerImageName image) {
		super(DockerImageName.parse(NAME));
		if (count < 1 || count > MOST_NODES) {
			throw new IllegalArgumentException(
					"The number of nodes must be from 1 to " + MOST_NODES + ", not " + count);
		}
		this.nodes = IntStream.range(0, count)
			.mapToObj((i) -> new ContainerNode(String.valueOf((char) ('a' + i)), image))
			.toList();
	}

	/**
	 * Sets a function that configures the container of each server before its start.
	 */
	public RedlockContainers withEachNode(Consumer<GenericContainer<?>> change) {
		this.nodes.forEach((node) -> change.accept(node.container()));
		return this;
	}

	/**
	 * Starts all servers in parallel and waits until all servers answer.
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
	 * Stops all servers, and removes their containers.
	 */
	@Override
	public void stop() {
		this.started = false;
		this.nodes.forEach(ContainerNode::remove);
	}

	/**
	 * Whether the servers were started, even if a test has killed some servers.
	 */
	@Override
	public boolean isRunning() {
		return this.started;
	}

	@Override
	public String getDockerImageName() {
		return NAME;
	}

	/**
	 * Returns the server at a position in the order of names, from 0.
	 */
	public ContainerNode get(int index) {
		return this.nodes.get(index);
	}

	/**
	 * Returns the server with the given name, such as "a".
	 */
	public ContainerNode get(String name) {
		return this.nodes.stream()
			.filter((node) -> node.name().equals(name))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("No node is named " + name + ". The nodes are " + this));
	}

	/**
	 * Returns all servers in the order of their names.
	 */
	public List<ContainerNode> asList() {
		return this.nodes;
	}

	/**
	 * Makes all servers answer again: thaws frozen servers, and restarts killed servers
	 * empty.
	 */
	public void heal() {
		this.nodes.forEach(ContainerNode::heal);
	}

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
