package dev.redlock.lettuce;

import java.util.Comparator;
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
 * @param names the names of the nodes by their markers
 */
record NodeList(long maxTtlMillis, SortedMap<String, String> names) {

	/**
	 * Renews the list of this client and answers with the lists of others. Each line has
	 * the time when it expires, in milliseconds, and a list. Takes the key, the list of
	 * this client, and its ttl in milliseconds.
	 */
	static final String EXCHANGE = """
			local time = redis.call('TIME')
			local now = time[1] * 1000 + math.floor(time[2] / 1000)
			local others = {}
			for line in string.gmatch(redis.call('GET', KEYS[1]) or '', '[^\\n]+') do
			  local lasting, list = string.match(line, '^(%d+) (.+)$')
			  if lasting and tonumber(lasting) > now and list ~= ARGV[1] and #others < 15 then
			    others[#others + 1] = line
			  end
			end
			local own = string.format('%.0f', now + ARGV[2]) .. ' ' .. ARGV[1]
			local all = #others > 0 and own .. '\\n' .. table.concat(others, '\\n') or own
			redis.call('SET', KEYS[1], all, 'PX', ARGV[2])
			return others
			""";

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

	String text() {
		return this.maxTtlMillis + this.names.entrySet()
			.stream()
			.map((entry) -> " " + entry.getKey() + "=" + entry.getValue().replaceAll("\\s", "_"))
			.collect(Collectors.joining());
	}

	/**
	 * Whether two clients with these lists agree. The names of the nodes may differ.
	 */
	boolean agreesWith(NodeList other) {
		return this.maxTtlMillis == other.maxTtlMillis && this.names.keySet().equals(other.names.keySet());
	}

	/**
	 * Explains what the difference to the list of another client means.
	 */
	String differenceFrom(NodeList other) {
		StringBuilder text = new StringBuilder("Another client has other settings. This one uses ").append(describe())
			.append("; the other one ")
			.append(other.describe())
			.append(". ");
		if (!this.names.keySet().equals(other.names.keySet())) {
			text.append(sharesMajoritiesWith(other)
					? "Any two majorities of these lists still share a node, as while one node is added or removed."
					: "Each list has majorities that share no node with some of the other's, so both clients may hold "
							+ "the same lock.");
			text.append(" Give all clients the same redlock.instances, and change them by one at a time. ");
		}
		if (this.maxTtlMillis != other.maxTtlMillis) {
			text.append("A node that may have forgotten locks waits for the max-ttl of the client that asks it, so a "
					+ "longer lock of another client is not safe. Give all clients the same redlock.max-ttl.");
		}
		return text.toString().strip();
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
			.map((entry) -> entry.getValue() + " (" + entry.getKey().substring(0, Math.min(8, entry.getKey().length()))
					+ ")")
			.collect(Collectors.joining(", ", this.names.size() + ((this.names.size() == 1) ? " node: " : " nodes: "),
					", with a max-ttl of " + this.maxTtlMillis + " ms"));
	}

}
