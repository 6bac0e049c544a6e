package dev.redlock.benchmarks.ensemble;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import dev.redlock.benchmarks.contender.Contender;
import dev.redlock.benchmarks.contender.Library;
import dev.redlock.benchmarks.contender.Terms;
import dev.redlock.test.RedisNode;

/**
 * Independent Redis servers with the lock of this library.
 */
public final class RedisServers implements Ensemble {

	private static final Pattern VERSION = Pattern.compile("(?:valkey|redis)_version:(\\S+)");

	private final String label;

	private final List<RedisNode> servers;

	private RedisServers(String label, List<RedisNode> servers) {
		this.label = label;
		this.servers = servers;
	}

	/**
	 * Starts servers that keep nothing on disk.
	 * @param size how many
	 * @return the servers
	 */
	public static RedisServers inMemory(int size) {
		return new RedisServers("redlock", IntStream.range(0, size).mapToObj((i) -> RedisNode.start("r" + i)).toList());
	}

	/**
	 * Starts servers that write each change to their disk before they answer.
	 * @param size how many
	 * @return the servers
	 */
	public static RedisServers durable(int size) {
		return new RedisServers("redlock-fsync",
				IntStream.range(0, size).mapToObj((i) -> RedisNode.startDurable("d" + i)).toList());
	}

	@Override
	public String label() {
		return this.label;
	}

	@Override
	public String version() {
		Matcher matcher = VERSION.matcher(String.valueOf(this.servers.get(0).command("INFO", "server")));
		return matcher.find() ? matcher.group(1) : "unknown";
	}

	@Override
	public int leader() {
		return 0;
	}

	@Override
	public Contender connect(Terms terms) {
		return Library.REDLOCK.open(this.servers.stream().map(RedisNode::port).toList(), terms);
	}

	@Override
	public void kill(int member) {
		this.servers.get(member).kill();
	}

	@Override
	public void freeze(int member) {
		this.servers.get(member).freeze();
	}

	@Override
	public void heal() {
		this.servers.forEach(RedisNode::heal);
		// A thawed server works off its queue before it answers.
		this.servers.forEach((server) -> server.command("PING"));
	}

	@Override
	public void close() {
		this.servers.forEach(RedisNode::close);
	}

}
