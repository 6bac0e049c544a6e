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
 * one thread at a time may call methods that change the server.
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

	public String name() {
		return this.name;
	}

	/**
	 * The address at which clients reach the server.
	 */
	public String host() {
		return this.container.getHost();
	}

	/**
	 * The port at which clients reach the server, even after a restart.
	 */
	public int port() {
		return this.container.getMappedPort(REDIS_PORT);
	}

	/**
	 * Whether the server process exists, even while the server is frozen.
	 */
	public boolean isRunning() {
		return this.container.isRunning();
	}

	/**
	 * Kills the server as {@code kill -9} does: connections break and all data is lost.
	 */
	public void kill() {
		thaw();
		if (isRunning()) {
			docker().killContainerCmd(id()).exec();
		}
	}

	/**
	 * Pauses all processes of the container: connections stay open, and the server
	 * answers no command.
	 */
	public void freeze() {
		requireRunning();
		if (!this.frozen) {
			docker().pauseContainerCmd(id()).exec();
			this.frozen = true;
		}
	}

	/**
	 * Lets a frozen server go on and answer the commands that arrived while the server
	 * was frozen.
	 */
	public void thaw() {
		if (this.frozen) {
			docker().unpauseContainerCmd(id()).exec();
			this.frozen = false;
		}
	}

	/**
	 * Kills the server if the server runs, and starts an empty server in a new container
	 * on the same port.
	 */
	public void restartEmpty() {
		int port = port();
		remove();
		// The port is fixed, because clients would not know a new port that Docker
		// chooses. Only IPv4 is bound, because another container may have the port for
		// IPv6.
		this.container.setPortBindings(List.of("0.0.0.0:" + port + ":" + REDIS_PORT));
		this.container.start();
	}

	/**
	 * Makes the server answer again: thaws a frozen server, and restarts a killed server
	 * empty.
	 */
	public void heal() {
		if (!isRunning()) {
			restartEmpty();
		}
		thaw();
	}

	/**
	 * Sends a command to the server by {@code redis-cli} in the container.
	 * @return the output of {@code redis-cli}, without the line end
	 * @throws IllegalStateException if the server is killed or frozen, or answers with an
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
