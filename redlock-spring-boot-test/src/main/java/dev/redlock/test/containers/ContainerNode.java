package dev.redlock.test.containers;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

import com.github.dockerjava.api.DockerClient;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * One Redis server in a Docker container, which a test may kill, freeze and restart. Only
 * one thread at a time may change the node.
 */
public final class ContainerNode {

	private static final int REDIS_PORT = 6379;

	private final String name;

	private final GenericContainer<?> container;

	private volatile boolean frozen;

	ContainerNode(String name, DockerImageName image) {
		this.name = name;
		this.container = new GenericContainer<>(image).withExposedPorts(REDIS_PORT)
			.waitingFor(Wait.forLogMessage(".*Ready to accept connections.*\\n", 1));
	}

	/**
	 * The name of the node.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * The address at which clients reach the node.
	 * @return the host
	 */
	public String host() {
		return this.container.getHost();
	}

	/**
	 * The port at which clients reach the node. The port stays the same when the node is
	 * restarted.
	 * @return the port
	 * @throws IllegalStateException if the node was not started
	 */
	public int port() {
		return this.container.getMappedPort(REDIS_PORT);
	}

	/**
	 * Whether the server process exists, even if it is frozen.
	 * @return true unless the node was killed or has ended by itself
	 */
	public boolean isRunning() {
		return this.container.isRunning();
	}

	/**
	 * Ends the server as {@code kill -9} does: connections break and all data is lost. A
	 * server that does not run stays as it is.
	 */
	public void kill() {
		thaw();
		if (isRunning()) {
			docker().killContainerCmd(id()).exec();
		}
	}

	/**
	 * Stops all processes of the container: connections stay open and nothing is
	 * answered.
	 * @throws IllegalStateException if the node does not run
	 */
	public void freeze() {
		requireRunning();
		if (!this.frozen) {
			docker().pauseContainerCmd(id()).exec();
			this.frozen = true;
		}
	}

	/**
	 * Lets a frozen server go on and answer the commands that it received meanwhile. A
	 * node that is not frozen stays as it is.
	 */
	public void thaw() {
		if (this.frozen) {
			docker().unpauseContainerCmd(id()).exec();
			this.frozen = false;
		}
	}

	/**
	 * Starts the server again, empty, in a new container at the same port. A running
	 * server is killed first.
	 * @throws IllegalStateException if the node was never started
	 */
	public void restartEmpty() {
		int port = port();
		remove();
		// Docker would choose another port, which clients do not know. Without an
		// address, Docker would also take the port for IPv6, where another container may
		// have it.
		this.container.setPortBindings(List.of("0.0.0.0:" + port + ":" + REDIS_PORT));
		this.container.start();
	}

	/**
	 * Makes the node answer again. A frozen node is thawed, and a killed node is
	 * restarted empty.
	 */
	public void heal() {
		if (!isRunning()) {
			restartEmpty();
		}
		thaw();
	}

	/**
	 * Runs {@code redis-cli} in the container and returns what it prints.
	 * @param command the command and its arguments
	 * @return the reply as text, without the end of the line
	 * @throws IllegalStateException if the node is killed or frozen, or answers with an
	 * error
	 */
	public String command(String... command) {
		requireRunning();
		if (this.frozen) {
			throw new IllegalStateException("Redis node " + this + " is frozen. Call thaw() first.");
		}
		String[] line = Stream.concat(Stream.of("redis-cli", "-e"), Stream.of(command)).toArray(String[]::new);
		try {
			ExecResult result = this.container.execInContainer(line);
			if (result.getExitCode() != 0) {
				throw new IllegalStateException("Redis node " + this + " refused " + command[0] + ": "
						+ result.getStdout() + result.getStderr());
			}
			return result.getStdout().strip();
		}
		catch (IOException ex) {
			throw new IllegalStateException("Redis node " + this + " did not answer " + command[0], ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for Redis node " + this, ex);
		}
	}

	/**
	 * The text names the node and, while it runs, its address.
	 */
	@Override
	public String toString() {
		return isRunning() ? this.name + " (" + host() + ":" + port() + ")" : this.name;
	}

	GenericContainer<?> container() {
		return this.container;
	}

	void remove() {
		thaw();
		this.container.stop();
	}

	private DockerClient docker() {
		return this.container.getDockerClient();
	}

	private String id() {
		return this.container.getContainerId();
	}

	private void requireRunning() {
		if (!isRunning()) {
			throw new IllegalStateException("Redis node " + this.name + " does not run. Call restartEmpty() first.");
		}
	}

}
