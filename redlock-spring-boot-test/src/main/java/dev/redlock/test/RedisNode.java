package dev.redlock.test;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * One real Redis server on this machine, which a test may kill, freeze, cut off and
 * restart. It listens on 127.0.0.1 only, keeps nothing on disk unless it was started as
 * durable, and does not outlive this JVM.
 * <p>
 * Any thread may send commands; only one thread at a time may change whether the node
 * runs.
 */
public final class RedisNode implements AutoCloseable {

	private static final int MOST_LAUNCHES = 5;

	private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

	private final String name;

	private final Path executable;

	private final boolean durable;

	private volatile RedisServerProcess process;

	private volatile boolean frozen;

	private volatile @Nullable Lifeline lifeline;

	private RedisNode(String name, Path executable, boolean durable) {
		this.name = name;
		this.executable = executable;
		this.durable = durable;
		this.process = RedisServerProcess.launch(executable, Ports.free(), durable);
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
	 * Starts a node with a certain {@code redis-server}, or one that takes the same
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
	 * Starts a node that writes every change to its disk before it answers, and waits
	 * until it answers. It keeps its data over {@link #restartWithData()}.
	 * @param name the name of the node
	 * @return the node
	 * @throws IllegalStateException if it does not start
	 */
	public static RedisNode startDurable(String name) {
		return new RedisNode(name, RedisBinary.locate(), true).awaitReady();
	}

	static RedisNode launch(String name, Path executable) {
		return new RedisNode(name, executable, false);
	}

	/**
	 * Waits for the launched server, and moves to another port where somebody else was
	 * faster.
	 */
	RedisNode awaitReady() {
		for (int launches = 1; !this.process.awaitReady(); launches++) {
			String output = this.process.output();
			this.process.kill();
			if (launches == MOST_LAUNCHES) {
				throw new IllegalStateException("Redis node " + this.name + " did not start: " + output);
			}
			this.process = RedisServerProcess.launch(this.executable, Ports.free(), this.durable);
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
	 * @return always 127.0.0.1
	 */
	public String host() {
		return "127.0.0.1";
	}

	/**
	 * The port on which the node listens. It stays the same when the node is restarted.
	 * @return the port
	 */
	public int port() {
		return this.process.port();
	}

	/**
	 * Whether the server process exists, frozen or cut off as it may be.
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
	 * Whether nobody can reach the server because of {@link #cutOff()}.
	 * @return true until it is reconnected, killed or restarted
	 */
	public boolean isCutOff() {
		return this.lifeline != null;
	}

	/**
	 * Ends the server as {@code kill -9} does: connections break and all data is lost.
	 */
	public void kill() {
		this.process.kill();
		this.frozen = false;
		dropLifeline();
	}

	/**
	 * Stops the server as SIGSTOP does: connections stay open and nothing is answered.
	 * @throws IllegalStateException if the node does not run
	 */
	public void freeze() {
		insistOnRunning();
		this.process.signal("STOP");
		this.frozen = true;
	}

	/**
	 * Lets a frozen server go on: it now answers what it was asked meanwhile. Does
	 * nothing if the node is not frozen.
	 */
	public void thaw() {
		if (this.frozen) {
			this.process.signal("CONT");
			this.frozen = false;
		}
	}

	/**
	 * Cuts the server off from everybody, as a broken network does: connections break and
	 * new ones are refused. The server runs on and keeps its data. Does nothing if it is
	 * cut off already.
	 * @throws IllegalStateException if the node does not run or is frozen
	 */
	public void cutOff() {
		insistOnRunning();
		if (this.frozen) {
			throw new IllegalStateException("Redis node " + this + " is frozen. Call thaw() before cutOff().");
		}
		if (this.lifeline == null) {
			Lifeline.cutOff(this, COMMAND_TIMEOUT, (line) -> this.lifeline = line);
		}
	}

	/**
	 * Lets everybody reach the server again that was cut off. Does nothing if it is not.
	 * @throws IllegalStateException if the node is frozen, or somebody has taken its port
	 */
	public void reconnect() {
		Lifeline line = this.lifeline;
		if (line != null) {
			line.reconnect(this);
			this.lifeline = null;
		}
	}

	/**
	 * Starts the server anew and empty on the same port; kills it first if it runs.
	 * @throws IllegalStateException if it does not start
	 */
	public void restartEmpty() {
		kill();
		startAgain(RedisServerProcess.launch(this.executable, port(), this.durable));
	}

	/**
	 * Ends a durable server as {@code kill -9} does and starts it anew over what is on
	 * its disk.
	 * @throws IllegalStateException if it is not durable, was killed before, which
	 * deletes its disk, or does not start
	 */
	public void restartWithData() {
		insistOnRunning();
		if (!this.durable) {
			throw new IllegalStateException("Redis node " + this + " keeps nothing on disk. Use startDurable().");
		}
		RedisServerProcess next = this.process.relaunch(this.executable);
		this.frozen = false;
		dropLifeline();
		startAgain(next);
	}

	/**
	 * Brings the node up whatever happened to it: thawed, reconnected, or restarted
	 * empty.
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
		insistOnRunning();
		try {
			return Resp.call(port(), COMMAND_TIMEOUT, command);
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
	 * Ends the server and deletes what it left.
	 */
	@Override
	public void close() {
		kill();
	}

	/**
	 * Names the node and its address.
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

	private void dropLifeline() {
		if (this.lifeline != null) {
			this.lifeline.drop();
			this.lifeline = null;
		}
	}

	private void insistOnRunning() {
		if (!isRunning()) {
			throw new IllegalStateException("Redis node " + this + " does not run. Call restartEmpty() first.");
		}
	}

}
