package dev.redlock.lettuce.internal.restart;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import dev.redlock.lettuce.internal.clock.NodeContext;
import dev.redlock.lettuce.internal.facts.ServerFacts;
import dev.redlock.lettuce.internal.script.Marker;

/**
 * What clients have stored on a Redis server about losses of its data. The table of
 * {@link #SCRIPT} says whether a server has all locks that it granted. The script applies
 * it for what all clients have checked, and {@link KnownServer#hasLocksOf} for what this
 * client has checked. {@link RestartGuard} decides from both how long the node must wait
 * before it votes.
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
	 * creates both. The record on the server names the process that any client has
	 * checked last, and {@link KnownServer} the process that this client has checked
	 * last. Whether the present process has all locks of such a process: <pre>
	 *  data    | process | each check found | this process read | has all
	 *          |         | it durable       | its own file      | its locks
	 *  --------+---------+------------------+-------------------+----------
	 *  same    | same    | -                | -                 | yes
	 *  same    | another | yes              | yes               | yes
	 *  same    | another | yes              | no                | no
	 *  same    | another | no               | -                 | no
	 *  another | -       | -                | -                 | no
	 * </pre> The recorded time stays only if the process has the locks of both.
	 * Otherwise, or without a readable record, locks may have been lost until now. The
	 * pattern must match the whole record, so an older client takes a record with a
	 * further field for a loss.
	 */
	public static final String SCRIPT = """
			local marker, process, client, known, knownProcess = unpack(ARGV)
			local durable, knownDurable, ownFile = ARGV[6] == '1', ARGV[7] == '1', ARGV[8] == '1'
			local time = redis.call('TIME')
			local now = string.format('%.0f', time[1] * 1000000 + time[2])
			local server = now
			local id = redis.call('GET', KEYS[1])
			if id and #id <= 64 and string.find(id, '^[%w-]+$') then
			  marker = id
			end
			redis.call('SET', KEYS[1], marker, 'PX', ARGV[9])
			local function hasLocksOf(data, former, durably)
			  return data == marker and (former == process or durably and ownFile)
			end
			local record = redis.call('GET', KEYS[2]) or ''
			local data, former, durably, sinceServer, sinceClient = string.match(record,
			  '^data=(%S+) process=(%S+) durable=(%l+) server=(%d+) client=(%d+)$')
			if hasLocksOf(data, former, durably == 'yes')
			    and (known == '' or hasLocksOf(known, knownProcess, knownDurable)) then
			  server, client = sinceServer, sinceClient
			end
			if data == marker and former == process then
			  durable = durable and durably == 'yes'
			end
			local seen = string.format('data=%s process=%s durable=%s server=%s client=%s', marker, process,
			  durable and 'yes' or 'no', server, client)
			if seen ~= record then
			  redis.call('SET', KEYS[2], seen)
			end
			return {marker, durable and '1' or '0', server, client, now}
			""";

	public static List<String> keys(String prefix) {
		return List.of(Marker.key(prefix), Marker.sinceKey(prefix));
	}

	public static List<String> arguments(ServerFacts facts, KnownServer known, NodeContext context) {
		return List.of(UUID.randomUUID().toString(), facts.process(), Long.toString(context.ticker().epochMicros()),
				known.data(), known.process(), flag(facts.durable()), flag(known.durable()), flag(facts.readOwnFile()),
				Long.toString(context.settings().retention().toMillis()));
	}

	public static DataHistory parse(List<String> answer, NodeContext context) {
		long sinceMicros = Long.parseLong(answer.get(3));
		long byServer = Long.parseLong(answer.get(4)) - Long.parseLong(answer.get(2));
		long byClients = context.ticker().epochMicros() - sinceMicros;
		long age = Math.max(0, Math.min(byServer, byClients));
		return new DataHistory(new Marker(Marker.key(context.settings().keyPrefix()), answer.get(0)),
				Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(age)), flag(true).equals(answer.get(1)), sinceMicros);
	}

	/**
	 * Returns the server of a check, as this client remembers it.
	 */
	public KnownServer server(ServerFacts facts) {
		return new KnownServer(this.marker.id(), facts.process(), facts.durable() && this.durable);
	}

	private static String flag(boolean value) {
		return value ? "1" : "0";
	}

	/**
	 * What this client remembers about a server since its last check, in the words of the
	 * table of {@link DataHistory#SCRIPT}.
	 *
	 * @param data the id of the server's data, empty before the first check
	 * @param process an id that changes when the server restarts or takes over another
	 * server's data
	 * @param durable whether each check by this client found that the server writes to
	 * disk before it acknowledges a write
	 */
	public record KnownServer(String data, String process, boolean durable) {

		public static final KnownServer NONE = new KnownServer("", "", false);

		/**
		 * A server that may have lost locks, so no process has all its locks.
		 */
		public static final KnownServer DOUBTED = new KnownServer("?", "", false);

		/**
		 * Returns an id that changes when the server process restarts or the server's
		 * data is replaced.
		 */
		public String id() {
			return (this.data + " " + this.process).strip();
		}

		/**
		 * Applies the table of {@link DataHistory#SCRIPT}.
		 * @param ownFile whether the process of this server read its own file
		 */
		public boolean hasLocksOf(KnownServer former, boolean ownFile) {
			return this.data.equals(former.data) && (this.process.equals(former.process) || former.durable && ownFile);
		}

		public KnownServer withoutDurability() {
			return new KnownServer(this.data, this.process, false);
		}

	}

}
