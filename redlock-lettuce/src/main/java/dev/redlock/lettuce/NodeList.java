package dev.redlock.lettuce;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The nodes of one client, in the form in which other clients read them: the largest ttl
 * and the marker of each node, with the node's name for people.
 *
 * @param maxTtlMillis the largest ttl of any lock
 * @param names the names of the nodes by their markers; a node of this client that has
 * not been reached has {@link #UNKNOWN} and its name instead
 */
record NodeList(long maxTtlMillis, SortedMap<String, String> names) {

	static final String UNKNOWN = "?";

	/**
	 * Renews the list of this client and answers with the lists of others. The first line
	 * is the time in milliseconds for which some client has known the data of the server.
	 * Each further line is the age of a list in milliseconds, and the list. Takes the
	 * key, the key with the moment since when the data are known, the list of this
	 * client, empty if it is not complete, and its ttl in milliseconds.
	 */
	static final String EXCHANGE = """
			local time = redis.call('TIME')
			local now = time[1] * 1000 + math.floor(time[2] / 1000)
			local since = string.match(redis.call('GET', KEYS[2]) or '', ' (%d+) %d+$')
			local answer = {string.format('%.0f', since and math.max(0, now - math.floor(since / 1000)) or 0)}
			local others = {}
			for line in string.gmatch(redis.call('GET', KEYS[1]) or '', '[^\\n]+') do
			  local lasting, list = string.match(line, '^(%d+) (.+)$')
			  if lasting and tonumber(lasting) > now and list ~= ARGV[1] and #others < 15 then
			    others[#others + 1] = line
			    answer[#answer + 1] = string.format('%.0f ', math.max(0, now + ARGV[2] - lasting)) .. list
			  end
			end
			if ARGV[1] ~= '' then
			  table.insert(others, 1, string.format('%.0f', now + ARGV[2]) .. ' ' .. ARGV[1])
			  redis.call('SET', KEYS[1], table.concat(others, '\\n'), 'PX', ARGV[2])
			end
			return answer
			""";

	/**
	 * Returns the keys that {@link #EXCHANGE} takes.
	 */
	static List<String> keys(String prefix) {
		return List.of(Marker.clientsKey(prefix), Marker.sinceKey(prefix));
	}

	/**
	 * Reads the list of a client. A text in any other form is a list without nodes.
	 */
	static NodeList parse(String text) {
		SortedMap<String, String> names = new TreeMap<>();
		String[] parts = text.split(" ", -1);
		for (int i = 1; i < parts.length; i++) {
			int equals = parts[i].indexOf('=');
			if (equals > 0) {
				names.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
			}
		}
		boolean number = parts[0].matches("\\d{1,15}");
		return new NodeList(number ? Long.parseLong(parts[0]) : 0, names);
	}

	/**
	 * Whether all nodes were reached.
	 */
	boolean isComplete() {
		return this.names.keySet().stream().noneMatch((marker) -> marker.startsWith(UNKNOWN));
	}

	/**
	 * Returns the text for other clients, which is empty if this list is not complete.
	 */
	String text() {
		return !isComplete() ? ""
				: this.maxTtlMillis + this.names.entrySet()
					.stream()
					.map((entry) -> " " + entry.getKey() + "=" + entry.getValue().replaceAll("\\s", "_"))
					.collect(Collectors.joining());
	}

	/**
	 * Whether two clients with these lists may agree. The names of the nodes may differ.
	 * @param other a complete list
	 */
	boolean agreesWith(NodeList other) {
		return this.maxTtlMillis == other.maxTtlMillis && mayHaveTheNodesOf(other);
	}

	/**
	 * Explains the difference to the list of another client: whether locks are safe, what
	 * to do, and the two lists.
	 */
	String differenceFrom(NodeList other) {
		boolean otherNodes = !mayHaveTheNodesOf(other);
		boolean otherMaxTtl = this.maxTtlMillis != other.maxTtlMillis;
		String effect = ". Locks are safe while one node is added or removed: any two majorities still share a node.";
		if (otherNodes && !sharesMajoritiesWith(other)) {
			effect = ", so both clients may hold the same lock.";
		}
		else if (otherMaxTtl) {
			effect = ", so a lock longer than the smaller max-ttl is not safe if a node forgets it.";
		}
		String same = (otherNodes ? "redlock.instances, changed by one at a time" : "")
				+ (otherNodes && otherMaxTtl ? ", and the same " : "") + (otherMaxTtl ? "redlock.max-ttl" : "");
		return "Another client has other settings" + effect + " Give all clients the same " + same + ". This one uses "
				+ describe() + "; the other one " + other.describe() + ".";
	}

	private boolean mayHaveTheNodesOf(NodeList other) {
		return this.names.size() == other.names.size() && this.names.keySet()
			.stream()
			.allMatch((marker) -> marker.startsWith(UNKNOWN) || other.names.containsKey(marker));
	}

	private boolean sharesMajoritiesWith(NodeList other) {
		Set<String> union = new TreeSet<>(this.names.keySet());
		union.addAll(other.names.keySet());
		return majority(this.names.size()) + majority(other.names.size()) > union.size();
	}

	private static int majority(int nodes) {
		return nodes / 2 + 1;
	}

	/**
	 * Describes the list. The first characters of a marker are enough to tell nodes
	 * apart.
	 */
	private String describe() {
		return this.names.entrySet()
			.stream()
			.sorted(Comparator.comparing((entry) -> entry.getValue()))
			.map((entry) -> entry.getValue() + " ("
					+ (entry.getKey().startsWith(UNKNOWN) ? "not reached"
							: entry.getKey().substring(0, Math.min(8, entry.getKey().length())))
					+ ")")
			.collect(Collectors.joining(", ", this.names.size() + ((this.names.size() == 1) ? " node: " : " nodes: "),
					", with a max-ttl of " + this.maxTtlMillis + " ms"));
	}

}
