package dev.redlock.test;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * One real Redis server on this machine, which a test may kill, freeze, cut off from the
 * network and restart. The server ends when this JVM ends. Only a server from
 * {@link #startDurable} writes its data to disk.
 * <p>
 * Any thread may call {@link #command}, but only one thread at a time may call other
 * methods that change the server.
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

	private volatile @Nullable Resp controlConnection;

	private RedisNode(String name, Path executable, String host, boolean durable) {
		this.name = name;
		this.executable = executable;
		this.host = host;
		this.durable = durable;
		this.process = RedisServerProcess.launch(executable, host, Ports.free(), durable);
	}

	/**
	 * Starts a server on a free port and waits until the server answers.
	 */
	public static RedisNode start(String name) {
		return start(name, RedisBinary.locate());
	}

	/**
	 * Starts the given {@code redis-server}, or an executable with compatible options,
	 * and waits until the server answers.
	 */
	public static RedisNode start(String name, Path executable) {
		return launch(name, executable).awaitReady();
	}

	/**
	 * Starts a server that listens on the given address, for example in a network
	 * namespace, and waits until the server answers. If clients connect from other hosts,
	 * {@code executable} must start Redis with the option {@code protected-mode no}.
	 * @param host the address on which the server listens, which this JVM must be able to
	 * reach
	 */
	public static RedisNode start(String name, Path executable, String host) {
		return new RedisNode(name, executable, host, false).awaitReady();
	}

	/**
	 * Starts a durable server, which writes every change to disk before the server
	 * answers. A durable server keeps its data over {@link #restartWithData()}.
	 */
	public static RedisNode startDurable(String name) {
		return startDurable(name, RedisBinary.locate());
	}

	/**
	 * Starts the given {@code redis-server}, or an executable with compatible options,
	 * which writes every change to disk.
	 */
	public static RedisNode startDurable(String name, Path executable) {
		return new RedisNode(name, executable, LOCAL, true).awaitReady();
	}

	static RedisNode launch(String name, Path executable) {
		return new RedisNode(name, executable, LOCAL, false);
	}

	/**
	 * Waits until the server answers, on another port if another process has taken the
	 * first port.
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
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * The address on which the server listens, 127.0.0.1 by default.
	 */
	public String host() {
		return this.host;
	}

	/**
	 * The port on which the server listens, even after a restart.
	 */
	public int port() {
		return this.process.port();
	}

	/**
	 * Whether the server process exists, even while the server is frozen or cut off from
	 * clients.
	 */
	public boolean isRunning() {
		return this.process.isAlive();
	}

	/**
	 * Whether {@link #freeze()} has stopped the server.
	 */
	public boolean isFrozen() {
		return this.frozen;
	}

	/**
	 * Whether {@link #cutOff()} keeps all clients away from the server.
	 */
	public boolean isCutOff() {
		return this.controlConnection != null;
	}

	/**
	 * Kills the server process as {@code kill -9} does, and deletes the data of the
	 * server.
	 */
	public void kill() {
		this.process.kill();
		this.frozen = false;
		closeControlConnection();
	}

	/**
	 * Pauses the server process by SIGSTOP: connections stay open, and the server answers
	 * no command.
	 */
	public void freeze() {
		requireRunning();
		this.process.signal("STOP");
		this.frozen = true;
	}

	/**
	 * Lets a frozen server go on and answer the commands that arrived while the server
	 * was frozen.
	 */
	public void thaw() {
		if (this.frozen) {
			this.process.signal("CONT");
			this.frozen = false;
		}
	}

	/**
	 * Cuts the server off from all clients, as a broken network does: connections break,
	 * and new connections are refused. The server goes on running and keeps its data.
	 * @throws IllegalStateException if the server does not run or is frozen
	 */
	public void cutOff() {
		requireRunning();
		if (this.frozen) {
			throw new IllegalStateException("Redis node " + this + " is frozen. Call thaw() before cutOff().");
		}
		if (this.controlConnection != null) {
			return;
		}
		try {
			Resp connection = Resp.connect(this.host, port(), COMMAND_TIMEOUT);
			// isCutOff() is true before connections break, because a test may call
			// isCutOff() as soon as a client notices the break.
			this.controlConnection = connection;
			// The port is closed before connections break, so that no client can
			// connect again.
			connection.call("CONFIG", "SET", "port", "0");
			connection.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
			connection.call("CLIENT", "KILL", "TYPE", "pubsub", "SKIPME", "yes");
		}
		catch (IOException ex) {
			closeControlConnection();
			throw new IllegalStateException(
					"Redis node " + this + " could not be cut off from its clients: " + ex.getMessage(), ex);
		}
	}

	/**
	 * Lets clients reach the server again after {@link #cutOff()}.
	 * @throws IllegalStateException if the server is frozen, or another process has taken
	 * its port
	 */
	public void reconnect() {
		Resp connection = this.controlConnection;
		if (connection == null) {
			return;
		}
		try {
			connection.call("CONFIG", "SET", "port", Integer.toString(port()));
			closeControlConnection();
		}
		catch (IOException ex) {
			throw new IllegalStateException("Redis node " + this
					+ " could not be connected to its clients again. Start it anew by restartEmpty(). "
					+ ex.getMessage(), ex);
		}
	}

	/**
	 * Starts the server again on its port, without data, after killing the server if the
	 * server still runs.
	 */
	public void restartEmpty() {
		kill();
		startAgain(RedisServerProcess.launch(this.executable, this.host, port(), this.durable));
	}

	/**
	 * Kills a durable server as {@code kill -9} does, and starts the server again with
	 * its data from disk.
	 * @throws IllegalStateException if the server is not durable, does not start, or was
	 * killed by {@link #kill()}, which deletes its data
	 */
	public void restartWithData() {
		requireRunning();
		if (!this.durable) {
			throw new IllegalStateException(
					"Redis node " + this + " keeps no data on disk. Start the node by RedisNode.startDurable().");
		}
		RedisServerProcess next = this.process.relaunchWithData(this.executable);
		this.frozen = false;
		closeControlConnection();
		startAgain(next);
	}

	/**
	 * Makes the server answer again: thaws a frozen server, reconnects a cut-off server,
	 * and restarts a killed server empty.
	 */
	public void heal() {
		if (!isRunning()) {
			restartEmpty();
		}
		thaw();
		reconnect();
	}

	/**
	 * Sends a command to the server over a new connection and returns the reply.
	 * @return the reply: a String, a Long, null, or a List of replies
	 * @throws IllegalStateException if the server is killed, frozen or cut off, or
	 * answers with an error
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

	private void closeControlConnection() {
		Resp connection = this.controlConnection;
		if (connection == null) {
			return;
		}
		this.controlConnection = null;
		try {
			connection.close();
		}
		catch (IOException ex) {
			// Closing may fail, because a server that has ended has broken the connection
			// already.
		}
	}

	private void requireRunning() {
		if (!isRunning()) {
			throw new IllegalStateException("Redis node " + this + " does not run. Call restartEmpty() first.");
		}
	}

}
