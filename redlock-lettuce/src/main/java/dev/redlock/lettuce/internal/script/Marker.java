package dev.redlock.lettuce.internal.script;

import java.nio.charset.StandardCharsets;

import dev.redlock.lettuce.internal.facts.ServerErrors;
import dev.redlock.spi.LockNode;
import org.jspecify.annotations.Nullable;

/**
 * A random id in a Redis key beside the locks, which identifies the data of a server. A
 * command that deletes all locks at once, such as FLUSHALL, deletes the marker too.
 *
 * @param id only letters, digits and dashes, because scripts contain the id
 */
public record Marker(String key, String id) {

	public static final String CHANGED = ServerErrors.STALE
			+ " the data of the server has changed since its last check";

	/**
	 * Reads the id of the marker, which is empty if the marker is missing, and extends
	 * the marker's ttl.
	 */
	public static final String READ = """
			redis.pcall('PEXPIRE', KEYS[1], ARGV[1])
			return {redis.call('GET', KEYS[1]) or ''}
			""";

	/**
	 * Stores the settings of this client as one line, and answers with the lines of other
	 * clients. The first element of the answer to EXCHANGE says for how many milliseconds
	 * the server has lost no lock. Each further element of the answer describes another
	 * client: milliseconds since it stored its line, then that line. EXCHANGE takes the
	 * hash of this client's settings, the settings as text, and for how many milliseconds
	 * the server keeps the lines of all clients.
	 */
	public static final String EXCHANGE = """
			local time = redis.call('TIME')
			local now = time[1] * 1000 + math.floor(time[2] / 1000)
			local since = string.match(redis.call('GET', KEYS[2]) or '', ' server=(%d+) ')
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
	 * The key of the marker starts with the prefix, so that the ACL rules for lock keys
	 * also cover the marker.
	 */
	public static String key(String prefix) {
		return prefix + LockNode.ABOUT_NODE;
	}

	/**
	 * Returns the key that stores since when the server has lost no lock.
	 */
	public static String sinceKey(String prefix) {
		return prefix + LockNode.ABOUT_NODE + ":since";
	}

	/**
	 * Returns the key that stores the settings of all clients of the server.
	 */
	public static String clientsKey(String prefix) {
		return prefix + LockNode.ABOUT_NODE + ":clients";
	}

	/**
	 * Returns the first lines of a script that must not run after the data of the server
	 * have changed. The returned Lua code sets {@code last} to the number of keys other
	 * than the marker's.
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
	 * Returns the key of the marker as a Lua string literal in which each byte is written
	 * as its number.
	 */
	private String keyInScript() {
		StringBuilder text = new StringBuilder("'");
		for (byte part : this.key.getBytes(StandardCharsets.UTF_8)) {
			text.append("\\%03d".formatted(Byte.toUnsignedInt(part)));
		}
		return text.append("'").toString();
	}

}
