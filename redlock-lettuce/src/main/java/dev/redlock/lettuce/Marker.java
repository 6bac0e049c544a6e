package dev.redlock.lettuce;

import java.nio.charset.StandardCharsets;

import dev.redlock.spi.LockNode;
import org.jspecify.annotations.Nullable;

/**
 * A random id that is stored beside the locks and identifies the data of a server. Any
 * event that deletes all locks at once deletes the marker too.
 *
 * @param key the key, the same on every node of a deployment
 * @param id the value; letters, digits and dashes only
 */
record Marker(String key, String id) {

	/** The error of a server whose marker has changed since the check. */
	static final String CHANGED = ServerErrors.STALE + " the data of the server has changed since its last check";

	/**
	 * Reads the marker and renews its ttl, which is the argument. The answer is an empty
	 * text without a marker.
	 */
	static final String READ = """
			redis.pcall('PEXPIRE', KEYS[1], ARGV[1])
			return {redis.call('GET', KEYS[1]) or ''}
			""";

	/**
	 * Renews the line with the settings of this client, see {@link #clientsKey}, and
	 * answers with the lines of other clients. The first answer is the time in
	 * milliseconds for which clients have known the data of the server. Each further
	 * answer is the age of a line in milliseconds, and the line. The keys are the key of
	 * the settings, and the key with the moment from which on the data are known. The
	 * arguments are the fingerprint of this client, the rest of its line, and the ttl in
	 * milliseconds.
	 */
	static final String EXCHANGE = """
			local time = redis.call('TIME')
			local now = time[1] * 1000 + math.floor(time[2] / 1000)
			local since = string.match(redis.call('GET', KEYS[2]) or '', ' (%d+) %d+$')
			local answer = {string.format('%.0f', since and math.max(0, now - math.floor(since / 1000)) or 0)}
			local lines = {string.format('%.0f ', now) .. ARGV[1] .. ARGV[2]}
			for line in string.gmatch(redis.call('GET', KEYS[1]) or '', '[^\\n]+') do
			  local seen, rest = string.match(line, '^(%d+) (.+)$')
			  local own = rest and string.sub(rest, 1, #ARGV[1]) == ARGV[1]
			  if seen and not own and now - seen < tonumber(ARGV[3]) and #lines < 16 then
			    lines[#lines + 1] = line
			    answer[#answer + 1] = string.format('%.0f ', math.max(0, now - seen)) .. rest
			  end
			end
			redis.call('SET', KEYS[1], table.concat(lines, '\\n'), 'PX', ARGV[3])
			return answer
			""";

	/**
	 * Returns the key of the marker. The prefix comes first so that the rights for lock
	 * keys also cover the marker.
	 */
	static String key(String prefix) {
		return prefix + LockNode.ABOUT_NODE;
	}

	/**
	 * Returns the key that stores which process and data of the server clients know, and
	 * since when.
	 */
	static String sinceKey(String prefix) {
		return prefix + LockNode.ABOUT_NODE + ":since";
	}

	/**
	 * Returns the key that stores which nodes other clients use together with this node.
	 */
	static String clientsKey(String prefix) {
		return prefix + LockNode.ABOUT_NODE + ":clients";
	}

	/**
	 * Returns the start of a script that may only run on the data that was checked. This
	 * text defines {@code last}, the number of keys without the marker's key.
	 * @param marker the marker, whose key is the last key; null without a marker
	 * @param sharded whether the server belongs to a cluster, where the script contains
	 * the key of the marker, because this key is in another slot than the lock keys
	 */
	static String opening(@Nullable Marker marker, boolean sharded) {
		if (marker == null) {
			return "local last = #KEYS\n";
		}
		return """
				if redis.call('GET', %s) ~= '%s' then
				  return redis.error_reply('%s')
				end
				local last = #KEYS%s
				""".formatted(sharded ? marker.keyInScript() : "KEYS[#KEYS]", marker.id, CHANGED,
				sharded ? "" : " - 1");
	}

	/**
	 * Returns the key as a Lua string literal that has each byte as its number.
	 */
	private String keyInScript() {
		StringBuilder text = new StringBuilder("'");
		for (byte part : this.key.getBytes(StandardCharsets.UTF_8)) {
			text.append("\\%03d".formatted(Byte.toUnsignedInt(part)));
		}
		return text.append("'").toString();
	}

}
