package dev.redlock.spring.redis;

import org.jspecify.annotations.Nullable;

/**
 * The Lua of the lock, all of it.
 * <p>
 * Every script takes the token, a time in milliseconds (the ttl, or how long to keep what
 * is released), the fence, the largest distance between the node's clock and a proposed
 * fence in microseconds, and the retention of counters in milliseconds. Keys come as lock
 * key and counter key in turn, or as lock keys only where counters play no part. Scripts
 * that write a claim where there was none also get the key of the {@link Marker}, as the
 * last one.
 * <p>
 * A release is told to those who listen on the channel that has the name of the key.
 * <p>
 * A script that did just what it was asked to answers with a number: the node's time in
 * microseconds where it looked at it, for a release how many listened, and otherwise 0.
 * Any other answer is a list: a code of {@link ScriptReply}, then one or two numbers and
 * the value of a key that stands in the way. Redis does not roll a script back: whatever
 * can fail comes before the first write, or is undone.
 */
enum LockScript {

	/**
	 * Sets all lock keys, and each counter to a number above all of them: to the proposed
	 * fence at once, and once more where a counter was not below it. Where a counter is
	 * missing it was perhaps lost, and the node's time less a quarter of a second is
	 * above all that was forgotten: a quarantine is longer than fences are ahead by twice
	 * that. With the bare time every node would answer another number, as each sees the
	 * proposal a little later, and every first lock on a key would take a second round.
	 */
	ACQUIRE(true, true, true, """
			local call = redis.call
			local proposed = tonumber(ARGV[3])
			if proposed > 0 and math.abs(now - proposed) > tonumber(ARGV[4]) then
			  return {6, now}
			end
			for i = 1, last, 2 do
			  if not call('SET', KEYS[i], ARGV[1], 'NX', 'PX', ARGV[2]) then
			    for j = 1, i - 2, 2 do
			      call('DEL', KEYS[j])
			    end
			    return {2, call('PTTL', KEYS[i]), 0, call('GET', KEYS[i])}
			  end
			end
			if proposed <= 0 then
			  return now
			end
			local fence = proposed
			local former = {}
			for i = 2, last, 2 do
			  former[i] = redis.pcall('SET', KEYS[i], ARGV[3], 'PX', ARGV[5], 'GET')
			  local counter = not former[i] and now - 250001 or tonumber(former[i])
			  if not counter or counter < 0 or counter > 9007199254740990 or counter % 1 ~= 0 then
			    for j = 2, last, 2 do
			      call('DEL', KEYS[j - 1])
			      if type(former[j]) == 'string' then
			        call('SET', KEYS[j], former[j], 'PX', keep(tonumber(former[j]) or 0))
			      end
			    end
			    return type(former[i]) == 'table' and former[i]
			      or redis.error_reply('WRONGTYPE the counter of a lock is not an integer')
			  end
			  if counter >= fence then
			    fence = counter + 1
			  end
			end
			if fence == proposed then
			  return now
			end
			for i = 2, last, 2 do
			  call('SET', KEYS[i], string.format('%.0f', fence), 'PX', keep(fence))
			end
			return {1, fence, now}
			"""),

	/**
	 * Sets each counter to the fence while the token still holds all keys.
	 */
	RAISE(true, true, false, """
			local fence = tonumber(ARGV[3])
			local highest = fence
			for i = 1, #KEYS, 2 do
			  if redis.call('GET', KEYS[i]) ~= ARGV[1] then
			    return {4, 0}
			  end
			  highest = math.max(highest, tonumber(redis.call('GET', KEYS[i + 1]) or 0))
			end
			if highest > fence then
			  return {5, highest}
			end
			for i = 2, #KEYS, 2 do
			  redis.call('SET', KEYS[i], string.format('%.0f', fence), 'PX', keep(fence))
			end
			return 0
			"""),

	/**
	 * Prolongs each key that would expire earlier while the token still holds all keys. A
	 * counter that is right already is only kept longer: this works without free memory,
	 * as a SET does not.
	 */
	EXTEND(true, true, false, """
			local fence = tonumber(ARGV[3])
			local missing = false
			local right = {}
			for i = 1, #KEYS, 2 do
			  local holder = redis.call('GET', KEYS[i])
			  if not holder then
			    missing = true
			  elseif holder ~= ARGV[1] then
			    return {4, 0}
			  end
			  if fence > 0 then
			    local counter = tonumber(redis.call('GET', KEYS[i + 1]) or 0)
			    if counter > fence then
			      return {4, 0}
			    end
			    right[i] = counter == fence
			  end
			end
			if missing then
			  return {3, 0}
			end
			for i = 1, #KEYS, 2 do
			  if redis.call('PTTL', KEYS[i]) < tonumber(ARGV[2]) then
			    redis.call('PEXPIRE', KEYS[i], ARGV[2])
			  end
			  if right[i] then
			    redis.call('PEXPIRE', KEYS[i + 1], keep(fence))
			  elseif fence > 0 then
			    redis.call('SET', KEYS[i + 1], string.format('%.0f', fence), 'PX', keep(fence))
			  end
			end
			return now
			"""),

	/**
	 * Writes a live claim where it was lost, if nobody came after it.
	 */
	PLANT(true, true, true, """
			local fence = tonumber(ARGV[3])
			local held = {}
			for i = 1, last, 2 do
			  local holder = redis.call('GET', KEYS[i])
			  if holder and holder ~= ARGV[1] then
			    return {2, redis.call('PTTL', KEYS[i]), 0, holder}
			  end
			  held[i] = holder
			  if fence > 0 and tonumber(redis.call('GET', KEYS[i + 1]) or 0) > fence then
			    return {4, 0}
			  end
			end
			for i = 1, last, 2 do
			  if not held[i] then
			    redis.call('SET', KEYS[i], ARGV[1], 'NX', 'PX', ARGV[2])
			  elseif redis.call('PTTL', KEYS[i]) < tonumber(ARGV[2]) then
			    redis.call('PEXPIRE', KEYS[i], ARGV[2])
			  end
			  if fence > 0 then
			    redis.call('SET', KEYS[i + 1], string.format('%.0f', fence), 'PX', keep(fence))
			  end
			end
			return now
			"""),

	/**
	 * Puts one token in the place of another on all keys. Takes both as one argument: the
	 * length of the former in bytes, a colon, the former, and the new one.
	 */
	TRANSFER(true, false, false, """
			local length, both = string.match(ARGV[1], '^(%d+):(.*)$')
			local former = string.sub(both, 1, tonumber(length))
			local token = string.sub(both, tonumber(length) + 1)
			local missing = false
			for i = 1, #KEYS do
			  local holder = redis.call('GET', KEYS[i])
			  if not holder then
			    missing = true
			  elseif holder ~= former then
			    return {4, 0}
			  end
			end
			if missing then
			  return {3, 0}
			end
			for i = 1, #KEYS do
			  redis.call('SET', KEYS[i], token, 'PX', ARGV[2])
			end
			return 0
			"""),

	/**
	 * Deletes each key that holds the token, or lets it expire after a while; and tells
	 * how many listen for that, and them, if the fence is not 0. What was released stays
	 * released also where this user may neither count nor tell them. The first characters
	 * of a token that is no longer worth anything tell one release from another.
	 */
	RELEASE(false, false, false, """
			local call = redis.call
			local released = false
			local most = 0
			for i = 1, #KEYS do
			  if redis.pcall('GET', KEYS[i]) == ARGV[1] then
			    released = true
			    if ARGV[2] == '0' then
			      call('DEL', KEYS[i])
			    elseif call('PTTL', KEYS[i]) > tonumber(ARGV[2]) then
			      call('PEXPIRE', KEYS[i], ARGV[2])
			    end
			    local listeners = redis.pcall('PUBSUB', 'NUMSUB', KEYS[i])[2] or 0
			    if listeners > 0 then
			      most = math.max(most, listeners)
			      if ARGV[3] ~= '0' then
			        redis.pcall('PUBLISH', KEYS[i], string.sub(ARGV[1], 1, 8) .. ':' .. listeners)
			      end
			    end
			  end
			end
			return released and most or {3, 0}
			"""),

	/**
	 * Looks at the first key.
	 */
	INSPECT(false, false, false, """
			local holder = redis.call('GET', KEYS[1])
			if not holder then
			  return 0
			end
			return {2, redis.call('PTTL', KEYS[1]), 0, holder}
			""");

	/**
	 * How scripts with counters begin. A counter that is ahead of the node's clock is
	 * kept for longer: with the counter gone, the next fence comes from the clock.
	 */
	private static final String COUNTERS = """
			local time = redis.call('TIME')
			local now = time[1] * 1000000 + time[2]
			local function keep(counter)
			  return string.format('%.0f', ARGV[5] + math.max(0, (counter - now) / 1000))
			end
			""";

	private final boolean bound;

	private final boolean counters;

	private final boolean marked;

	private final String body;

	LockScript(boolean bound, boolean counters, boolean marked, String body) {
		this.bound = bound;
		this.counters = counters;
		this.marked = marked;
		this.body = body;
	}

	/**
	 * Whether the script may only run on the incarnation of the server that was checked.
	 */
	boolean bound() {
		return this.bound;
	}

	/** Whether each lock key is followed by its counter key. */
	boolean counters() {
		return this.counters;
	}

	/**
	 * Whether the script looks at the marker of the server's data, where it has one.
	 * Those that need the lock key to be there already do not: it went where the marker
	 * went.
	 */
	boolean marked() {
		return this.marked;
	}

	/**
	 * The text for one incarnation of a server. A comment with its run id makes another
	 * script of a bound one, which no other incarnation has ever loaded.
	 * @param runId the run id of the server
	 * @param marker the marker of its data, or null if it has none
	 * @param sharded whether the server is one of a cluster, where channels belong to
	 * slots as keys do
	 */
	String text(String runId, @Nullable Marker marker, boolean sharded) {
		if (!this.bound) {
			return sharded ? this.body.replace("'NUMSUB'", "'SHARDNUMSUB'").replace("'PUBLISH'", "'SPUBLISH'")
					: this.body;
		}
		return "-- for " + runId + "\n" + (this.marked ? Marker.opening(marker) : "") + (this.counters ? COUNTERS : "")
				+ this.body;
	}

}
