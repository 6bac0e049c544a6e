package dev.redlock.test;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * One real Redis server on this machine, which a test may kill, freeze, cut off and
 * restart. The server listens on 127.0.0.1 unless another address was given, and ends
 * with this JVM. Only a server that was started as durable keeps data on disk.
 * <p>
 * Any thread may send commands. All other methods that change the node are for one thread
 * at a time.
 */
public final class RedisNode implements AutoCloseable {

	private static final String LOCAL = "127.0.0.1";

	private static final int MOST_LAUNCHES = 5;

	private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

	private final String name;

	private final Path executable;

	private final String host;

	private final boolean durable;

	private volatile RedisServerProcess process;

	private volatile boolean frozen;

	/** The connection that reaches the server while it is cut off from all clients. */
	private volatile @Nullable Resp control;

	private RedisNode(String name, Path executable, String host, boolean durable) {
		this.name = name;
		this.executable = executable;
		this.host = host;
		this.durable = durable;
		this.process = RedisServerProcess.launch(executable, host, Ports.free(), durable);
	}

	/**
	 * Starts a node on a free port and waits until it answers.
	 * @param name the name of the node
	 * @return the node
	 * @throws IllegalStateException if it does not start
	 */
	public static RedisNode start(String name) {
		return start(name, RedisBinary.locate());
	}

	/**
	 * Starts a node with a certain {@code redis-server}, or a server that takes the same
	 * options, and waits until it answers.
	 * @param name the name of the node
	 * @param executable the server to run
	 * @return the node
	 * @throws IllegalStateException if it does not start
	 */
	public static RedisNode start(String name, Path executable) {
		return launch(name, executable).awaitReady();
	}

	/**
	 * Starts a node that listens on another address, such as one in a network namespace,
	 * and waits until it answers. The server must accept clients from other hosts without
	 * a password, so the executable must turn {@code protected-mode} off.
	 * @param name the name of the node
	 * @param executable the server to run
	 * @param host the address, which this JVM must be able to reach
	 * @return the node
	 * @throws IllegalStateException if it does not start
	 */
	public static RedisNode start(String name, Path executable, String host) {
		return new RedisNode(name, executable, host, false).awaitReady();
	}

	/**
	 * Starts a node that writes every change to its disk before it answers, and waits
	 * until it answers. The node keeps its data over {@link #restartWithData()}.
	 * @param name the name of the node
	 * @return the node
	 * @throws IllegalStateException if it does not start
	 */
	public static RedisNode startDurable(String name) {
		return startDurable(name, RedisBinary.locate());
	}

	/**
	 * Starts a durable node with a certain {@code redis-server}, or a server that takes
	 * the same options.
	 * @param name the name of the node
	 * @param executable the server to run
	 * @return the node
	 * @throws IllegalStateException if it does not start
	 */
	public static RedisNode startDurable(String name, Path executable) {
		return new RedisNode(name, executable, LOCAL, true).awaitReady();
	}

	static RedisNode launch(String name, Path executable) {
		return new RedisNode(name, executable, LOCAL, false);
	}

	/**
	 * Waits for the launched server. If another process has taken the port meanwhile, the
	 * server is launched again on another port.
	 */
	RedisNode awaitReady() {
		for (int launches = 1; !this.process.awaitReady(); launches++) {
			String output = this.process.output();
			this.process.kill();
			if (launches == MOST_LAUNCHES) {
				throw new IllegalStateException("Redis node " + this.name + " did not start: " + output);
			}
			this.process = RedisServerProcess.launch(this.executable, this.host, Ports.free(), this.durable);
		}
		return this;
	}

	/**
	 * The name of the node.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * The address on which the node listens.
	 * @return 127.0.0.1 unless the node was started with another address
	 */
	public String host() {
		return this.host;
	}

	/**
	 * The port on which the node listens. The port stays the same when the node is
	 * restarted.
	 * @return the port
	 */
	public int port() {
		return this.process.port();
	}

	/**
	 * Whether the server process exists, even if it is frozen or cut off.
	 * @return true unless the node was killed or has ended by itself
	 */
	public boolean isRunning() {
		return this.process.isAlive();
	}

	/**
	 * Whether the server was stopped by {@link #freeze()}.
	 * @return true until it is thawed, killed or restarted
	 */
	public boolean isFrozen() {
		return this.frozen;
	}

	/**
	 * Whether no client can reach the server because of {@link #cutOff()}.
	 * @return true until the node is reconnected, killed or restarted
	 */
	public boolean isCutOff() {
		return this.control != null;
	}

	/**
	 * Ends the server as {@code kill -9} does: connections break and all data is lost.
	 */
	public void kill() {
		this.process.kill();
		this.frozen = false;
		closeControl();
	}

	/**
	 * Stops the server as SIGSTOP does: connections stay open and nothing is answered.
	 * @throws IllegalStateException if the node does not run
	 */
	public void freeze() {
		requireRunning();
		this.process.signal("STOP");
		this.frozen = true;
	}

	/**
	 * Lets a frozen server go on and answer the commands that it received meanwhile. A
	 * node that is not frozen stays as it is.
	 */
	public void thaw() {
		if (this.frozen) {
			this.process.signal("CONT");
			this.frozen = false;
		}
	}

	/**
	 * Cuts the server off from all clients, as a broken network does: connections break
	 * and new connections are refused. The server runs on and keeps its data. A node that
	 * is cut off already stays as it is.
	 * @throws IllegalStateException if the node does not run or is frozen
	 */
	public void cutOff() {
		requireRunning();
		if (this.frozen) {
			throw new IllegalStateException("Redis node " + this + " is frozen. Call thaw() before cutOff().");
		}
		if (this.control != null) {
			return;
		}
		try {
			Resp connection = Resp.connect(this.host, port(), COMMAND_TIMEOUT);
			// The flag is set first, so that a client that notices the break finds the
			// node cut off.
			this.control = connection;
			// The port is closed first, so that no client can connect again.
			connection.call("CONFIG", "SET", "port", "0");
			connection.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
			connection.call("CLIENT", "KILL", "TYPE", "pubsub", "SKIPME", "yes");
		}
		catch (IOException ex) {
			closeControl();
			throw new IllegalStateException(
					"Redis node " + this + " could not be cut off from its clients: " + ex.getMessage(), ex);
		}
	}

	/**
	 * Lets clients reach a server again that was cut off. A node that is not cut off
	 * stays as it is.
	 * @throws IllegalStateException if the node is frozen, or another process has taken
	 * its port
	 */
	public void reconnect() {
		Resp connection = this.control;
		if (connection == null) {
			return;
		}
		try {
			connection.call("CONFIG", "SET", "port", Integer.toString(port()));
			closeControl();
		}
		catch (IOException ex) {
			throw new IllegalStateException("Redis node " + this
					+ " could not be connected again. Call restartEmpty() instead. " + ex.getMessage(), ex);
		}
	}

	/**
	 * Starts the server again, empty, on the same port. A running server is killed first.
	 * @throws IllegalStateException if the server does not start
	 */
	public void restartEmpty() {
		kill();
		startAgain(RedisServerProcess.launch(this.executable, this.host, port(), this.durable));
	}

	/**
	 * Ends a durable server as {@code kill -9} does and starts it again with its data
	 * from disk.
	 * @throws IllegalStateException if the server is not durable, was killed before
	 * (which deletes its data), or does not start
	 */
	public void restartWithData() {
		requireRunning();
		if (!this.durable) {
			throw new IllegalStateException("Redis node " + this + " keeps nothing on disk. Use startDurable().");
		}
		RedisServerProcess next = this.process.relaunch(this.executable);
		this.frozen = false;
		closeControl();
		startAgain(next);
	}

	/**
	 * Makes the node answer again. A frozen or cut off node is thawed and reconnected,
	 * and a killed node is restarted empty.
	 */
	public void heal() {
		if (!isRunning()) {
			restartEmpty();
		}
		thaw();
		reconnect();
	}

	/**
	 * Sends a command over a connection of its own and returns the reply.
	 * @param command the command and its arguments
	 * @return a String, a Long, a List of these, or null
	 * @throws IllegalStateException if the node is killed, frozen or cut off, or answers
	 * with an error
	 */
	public @Nullable Object command(String... command) {
		requireRunning();
		try {
			return Resp.call(this.host, port(), COMMAND_TIMEOUT, command);
		}
		catch (Resp.RedisError ex) {
			throw new IllegalStateException("Redis node " + this + " refused " + command[0] + ": " + ex.getMessage(),
					ex);
		}
		catch (IOException ex) {
			String trouble = this.frozen ? " is frozen and" : isCutOff() ? " is cut off and" : "";
			throw new IllegalStateException("Redis node " + this + trouble + " did not answer " + command[0]
					+ " within " + COMMAND_TIMEOUT.toSeconds() + " s", ex);
		}
	}

	/**
	 * Ends the server and deletes its files.
	 */
	@Override
	public void close() {
		kill();
	}

	/**
	 * The text names the node and its address.
	 */
	@Override
	public String toString() {
		return this.name + " (" + host() + ":" + port() + ")";
	}

	private void startAgain(RedisServerProcess next) {
		this.process = next;
		if (!next.awaitReady()) {
			throw new IllegalStateException("Redis node " + this + " did not start again: " + next.output());
		}
	}

	private void closeControl() {
		Resp connection = this.control;
		if (connection == null) {
			return;
		}
		this.control = null;
		try {
			connection.close();
		}
		catch (IOException ex) {
			// The server may have ended, so the socket is closed.
		}
	}

	private void requireRunning() {
		if (!isRunning()) {
			throw new IllegalStateException("Redis node " + this + " does not run. Call restartEmpty() first.");
		}
	}

}
