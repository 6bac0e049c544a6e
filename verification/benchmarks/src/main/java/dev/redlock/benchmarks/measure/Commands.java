package dev.redlock.benchmarks.measure;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.redlock.test.RedisNode;

/**
 * How often each command ran on some servers, as they count it: a command that a script
 * calls counts as well as the script itself.
 *
 * @param calls the calls by the name of the command
 */
public record Commands(Map<String, Long> calls) {

	private static final Pattern CALLS = Pattern.compile("cmdstat_([^:|]+)[^:]*:calls=(\\d+)");

	/**
	 * Commands that no script calls, or that make it run.
	 */
	private static final Set<String> NEVER_IN_A_SCRIPT = Set.of("eval", "evalsha", "eval_ro", "evalsha_ro", "fcall",
			"script", "ping", "subscribe", "unsubscribe", "psubscribe", "punsubscribe", "ssubscribe", "sunsubscribe",
			"client", "hello", "select", "auth", "wait", "watch", "unwatch", "multi", "exec");

	/**
	 * Keeps what it is given.
	 */
	public Commands {
		calls = Map.copyOf(calls);
	}

	/**
	 * Asks the servers.
	 * @param servers those to ask
	 * @return what ran on all of them together so far
	 */
	public static Commands of(List<RedisNode> servers) {
		Map<String, Long> calls = new TreeMap<>();
		for (RedisNode server : servers) {
			parse(String.valueOf(server.command("INFO", "commandstats")))
				.forEach((name, count) -> calls.merge(name, count, Long::sum));
		}
		return new Commands(calls);
	}

	static Map<String, Long> parse(String info) {
		Map<String, Long> calls = new TreeMap<>();
		Matcher matcher = CALLS.matcher(info);
		while (matcher.find()) {
			// The question itself is none of the contender's.
			if (!matcher.group(1).equals("info")) {
				calls.merge(matcher.group(1), Long.valueOf(matcher.group(2)), Long::sum);
			}
		}
		return calls;
	}

	/**
	 * What ran since.
	 * @param before what ran until then
	 * @return the difference
	 */
	public Commands since(Commands before) {
		Map<String, Long> difference = new TreeMap<>();
		this.calls.forEach((name, count) -> difference.put(name, count - before.calls.getOrDefault(name, 0L)));
		return new Commands(difference);
	}

	/**
	 * All of them.
	 * @return the number, with those inside of scripts
	 */
	public long all() {
		return this.calls.values().stream().mapToLong(Long::longValue).sum();
	}

	/**
	 * Those that came over the network.
	 * @param plain what is sent as such besides the commands that cannot be in a script
	 * @return the number, without those inside of scripts
	 */
	public long sent(Set<String> plain) {
		return this.calls.entrySet()
			.stream()
			.filter((call) -> NEVER_IN_A_SCRIPT.contains(call.getKey()) || plain.contains(call.getKey()))
			.mapToLong(Map.Entry::getValue)
			.sum();
	}

}
