package dev.redlock.lettuce.internal.connection;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import dev.redlock.lettuce.internal.clock.NodeContext;
import dev.redlock.lettuce.internal.facts.ServerFacts;
import dev.redlock.lettuce.internal.script.Marker;

/**
 * What clients have stored on a Redis server about losses of its data.
 *
 * @param age how long no lock was lost, by the server's clock or by this client's,
 * whichever shows less
 * @param durable whether each check by any client found that the server writes to disk
 * before it acknowledges a write
 * @param sinceMicros the time since which the server has lost no lock, by the clock of
 * the client that stored this time
 */
public record DataHistory(Marker marker, Duration age, boolean durable, long sinceMicros) {

	/**
	 * Reads the id of the server's data, and the time since which no lock was lost, or
	 * creates both. A change of the server process or of its data counts as a loss of
	 * locks at the current time. A restarted server has lost no lock if it reads all
	 * acknowledged writes from its disk.
	 */
	public static final String SCRIPT = """
			local function begins(text, head)
			  return string.sub(text, 1, #head) == head
			end
			local time = redis.call('TIME')
			local now = string.format('%.0f', time[1] * 1000000 + time[2])
			local id = redis.call('GET', KEYS[1])
			if not id or #id > 64 or not string.find(id, '^[%w-]+$') then
			  id = ARGV[1]
			end
			redis.call('SET', KEYS[1], id, 'PX', ARGV[8])
			local life = id .. ' ' .. ARGV[2] .. ' '
			local since = redis.call('GET', KEYS[2]) or ''
			local durable, times = string.match(since, ' (%l+) (%d+ %d+)$')
			local same = times and begins(since, life)
			local keeps = durable == 'durable' and ARGV[7] == '0'
			local known = ARGV[4]
			local doubtful = known ~= '' and known .. ' ' ~= life
			  and not (ARGV[6] == '1' and ARGV[7] == '0' and begins(known, id .. ' '))
			if not times or doubtful or not (same or (keeps and begins(since, id .. ' '))) then
			  times = now .. ' ' .. ARGV[3]
			end
			local durably = ARGV[5] == '1' and (not same or durable == 'durable')
			local seen = life .. (durably and 'durable' or 'lossy') .. ' ' .. times
			if seen ~= since then
			  redis.call('SET', KEYS[2], seen)
			end
			return {id, seen, now}
			""";

	public static List<String> keys(String prefix) {
		return List.of(Marker.key(prefix), Marker.sinceKey(prefix));
	}

	public static List<String> arguments(ServerFacts facts, KnownServer known, NodeContext context) {
		return List.of(UUID.randomUUID().toString(), facts.incarnation(), Long.toString(context.ticker().epochMicros()),
				known.id(), flag(facts.durable()), flag(known.durable()), flag(facts.mayHaveOldData()),
				Long.toString(context.settings().retention().toMillis()));
	}

	public static DataHistory parse(List<String> answer, NodeContext context) {
		String[] since = answer.get(1).split(" ");
		long byServer = Long.parseLong(answer.get(2)) - Long.parseLong(since[since.length - 2]);
		long sinceMicros = Long.parseLong(since[since.length - 1]);
		long byClients = context.ticker().epochMicros() - sinceMicros;
		long age = Math.max(0, Math.min(byServer, byClients));
		return new DataHistory(new Marker(Marker.key(context.settings().keyPrefix()), answer.get(0)),
				Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(age)), "durable".equals(since[since.length - 3]),
				sinceMicros);
	}

	/**
	 * Returns an id that changes when the server process restarts or the server's data is
	 * replaced.
	 */
	public String serverId(ServerFacts facts) {
		return this.marker.id() + " " + facts.incarnation();
	}

	private static String flag(boolean value) {
		return value ? "1" : "0";
	}

	/**
	 * What this client remembers about a server since its last check.
	 *
	 * @param id the {@link DataHistory#serverId} of the server, empty before the first
	 * check
	 * @param durable whether each check by this client found that the server writes to
	 * disk before it acknowledges a write
	 */
	public record KnownServer(String id, boolean durable) {

		public static final KnownServer NONE = new KnownServer("", false);

	}

}
