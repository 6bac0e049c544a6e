package dev.redlock.it;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;

/**
 * A client of node-redlock, in a process that takes one command at a time.
 */
final class NodeRedlockClient implements AutoCloseable {

	static final String SCRIPT = "client.cjs";

	private final ChildProcess process;

	private NodeRedlockClient(ChildProcess process) {
		this.process = process;
	}

	/**
	 * Starts the script.
	 * @param directory the script and its packages
	 * @param nodes the nodes of the lock
	 * @param counter the server with the counter
	 */
	static NodeRedlockClient start(Path directory, RedisNodes nodes, RedisNode counter) {
		String ports = nodes.asList()
			.stream()
			.map((node) -> Integer.toString(node.port()))
			.collect(Collectors.joining(","));
		List<String> command = List.of("node", SCRIPT, ports, Integer.toString(counter.port()));
		return new NodeRedlockClient(ChildProcess.start(new ProcessBuilder(command).directory(directory.toFile())));
	}

	/**
	 * Tries once to get the lock.
	 */
	boolean tryAcquire(String key, Duration ttl) throws InterruptedException {
		return ask("try", key, ttl.toMillis()).equals("held");
	}

	/**
	 * Asks for the lock until it is granted.
	 */
	void acquire(String key, Duration ttl) throws InterruptedException {
		this.process.say("acquire " + key + " " + ttl.toMillis());
		endAcquire();
	}

	/**
	 * Asks for a lock that another client holds. Returns after the first refusal.
	 */
	void beginAcquire(String key, Duration ttl) throws InterruptedException {
		this.process.say("acquire " + key + " " + ttl.toMillis());
		this.process.await("acquire: waiting");
	}

	/**
	 * Waits until the lock of {@link #beginAcquire} is granted.
	 */
	void endAcquire() throws InterruptedException {
		this.process.await("acquire: held");
	}

	/**
	 * Releases the lock.
	 * @return whether a majority of the nodes still had its token
	 */
	boolean release(String key) throws InterruptedException {
		return ask("release", key).equals("released");
	}

	/**
	 * Begins to increment the counter, each time under the lock.
	 */
	void beginCount(String key, int times) throws InterruptedException {
		ask("count", key, times);
	}

	/**
	 * Waits until it has counted.
	 */
	void endCount() throws InterruptedException {
		this.process.await("count: done");
	}

	@Override
	public void close() {
		this.process.close();
	}

	private String ask(String command, Object... words) throws InterruptedException {
		StringBuilder line = new StringBuilder(command);
		for (Object word : words) {
			line.append(' ').append(word);
		}
		this.process.say(line.toString());
		return this.process.await(command + ": ").substring(command.length() + 2);
	}

}
