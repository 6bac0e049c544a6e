package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import dev.redlock.spi.Ticker;

/**
 * What a check found out about the data of a server.
 *
 * @param marker its marker
 * @param age how long this life of the server has been known to some client, by the clock
 * of the server and by those of the clients, whichever is less
 */
record Sighting(Marker marker, Duration age) {

	/**
	 * Reads the marker, or makes one, and remembers when this life of the server was seen
	 * for the first time. That moment is now if this client knew another life before, or
	 * saw something that makes it doubt this one. It stays where every write is on disk
	 * before it is answered and the data are the same.
	 * <p>
	 * Takes the keys of the marker and of the moment; an id for a new marker, the
	 * incarnation of the server, the time of the client in microseconds, the life that
	 * this client knew, and 1 if a restart loses nothing.
	 */
	static final String SCRIPT = """
			local function begins(text, head)
			  return text and string.sub(text, 1, #head) == head
			end
			local time = redis.call('TIME')
			local now = string.format('%.0f', time[1] * 1000000 + time[2])
			local id = redis.call('GET', KEYS[1])
			if not id or #id > 64 or not string.find(id, '^[%w-]+$') then
			  id = ARGV[1]
			  redis.call('SET', KEYS[1], id)
			end
			local life = id .. ' ' .. ARGV[2]
			local since = redis.call('GET', KEYS[2])
			local times = since and string.match(since, ' %d+ %d+$')
			local kept = times and ARGV[5] == '1' and begins(since, id .. ' ')
			local doubtful = ARGV[4] ~= '' and ARGV[4] ~= life
			if doubtful and ARGV[5] == '1' and begins(ARGV[4], id .. ' ') then
			  doubtful = false
			end
			if times and begins(since, life .. ' ') and not doubtful then
			  return {id, since, now}
			end
			if kept and not doubtful then
			  since = life .. times
			else
			  since = life .. ' ' .. now .. ' ' .. ARGV[3]
			end
			redis.call('SET', KEYS[2], since)
			return {id, since, now}
			""";

	static String[] keys(String prefix) {
		return new String[] { Marker.key(prefix), Marker.sinceKey(prefix) };
	}

	static String[] arguments(ServerFacts facts, String known, Ticker ticker) {
		return new String[] { UUID.randomUUID().toString(), facts.incarnation(), Long.toString(ticker.epochMicros()),
				known, facts.losesNothing() ? "1" : "0" };
	}

	/**
	 * Reads the answer of the script.
	 */
	static Sighting parse(String prefix, List<String> answer, Ticker ticker) {
		String[] since = answer.get(1).split(" ");
		long byServer = Long.parseLong(answer.get(2)) - Long.parseLong(since[since.length - 2]);
		long byClients = ticker.epochMicros() - Long.parseLong(since[since.length - 1]);
		long age = Math.max(0, Math.min(byServer, byClients));
		return new Sighting(new Marker(Marker.key(prefix), answer.get(0)),
				Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(age)));
	}

	/**
	 * The name of one life of a server with one set of data.
	 */
	String life(ServerFacts facts) {
		return this.marker.id() + " " + facts.incarnation();
	}

}
