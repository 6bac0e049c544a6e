package dev.redlock.lettuce;

import org.jspecify.annotations.Nullable;

/**
 * All Lua scripts of the lock operations.
 * <p>
 * Each script takes five arguments: the token, a time in milliseconds (the ttl, or how
 * long to keep a released key), the fence, the largest distance in microseconds between
 * the node's clock and a proposed fence, and the retention of counters in milliseconds.
 * The keys of a bound script are lock keys and counter keys in turn. Other scripts take
 * lock keys only. A script that writes a new claim also gets the key of the
 * {@link Marker} as its last key. On a cluster, the text of the script contains this key.
 * <p>
 * A release is announced on the channel with the name of the key.
 * <p>
 * Each answer is a list: a code of {@link ScriptReply}, one or two numbers, and the value
 * of the key that prevents the claim. Redis does not roll a script back, so each step
 * that can fail comes before the first write, or the script undoes its writes.
 */
enum LockScript {

	/**
	 * Sets all lock keys, and sets each counter to one number above all former values.
	 * The number is the proposed fence, or a higher number if a counter was not below the
	 * proposal. A missing counter may have been lost. The script replaces a missing
	 * counter by the node's time minus a quarter of a second, which is above all lost
	 * values because of the margin of a quarantine. Without the quarter of a second, each
	 * node would answer another number, because each node reads its time a little later.
	 * Each first lock on a key would then need a second round.
	 */
	ACQUIRE(true, true, """
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
			  return {1, proposed, now}
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
			  return {1, fence, now}
			end
			for i = 2, last, 2 do
			  call('SET', KEYS[i], string.format('%.0f', fence), 'PX', keep(fence))
			end
			return {1, fence, now}
			"""),

	/**
	 * Extends each key that would expire earlier, and raises each counter to the fence,
	 * if the token still holds all keys. A counter that is high enough only gets a new
	 * ttl, because a SET needs free memory. A counter is above the fence if the node
	 * granted the claim after the fence was settled. The script also settles fences: with
	 * a ttl of a millisecond, no key lasts longer.
	 */
	EXTEND(true, false, """
			local fence = tonumber(ARGV[3])
			local missing = false
			local enough = {}
			for i = 1, #KEYS, 2 do
			  local holder = redis.call('GET', KEYS[i])
			  if not holder then
			    missing = true
			  elseif holder ~= ARGV[1] then
			    return {4, 0}
			  end
			  if fence > 0 then
			    local counter = tonumber(redis.call('GET', KEYS[i + 1]) or 0)
			    enough[i] = counter >= fence and counter
			  end
			end
			if missing then
			  return {3, 0}
			end
			for i = 1, #KEYS, 2 do
			  if redis.call('PTTL', KEYS[i]) < tonumber(ARGV[2]) then
			    redis.call('PEXPIRE', KEYS[i], ARGV[2])
			  end
			  if enough[i] then
			    redis.call('PEXPIRE', KEYS[i + 1], keep(enough[i]))
			  elseif fence > 0 then
			    redis.call('SET', KEYS[i + 1], string.format('%.0f', fence), 'PX', keep(fence))
			  end
			end
			return {1, fence, now}
			"""),

	/**
	 * Writes a live claim on a node that lost it, if no other claim came after it.
	 */
	RESTORE(true, true, """
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
			return {1, fence, now}
			"""),

	/**
	 * Marks a tick, in microseconds since the epoch, in the register of the only key, if
	 * the token holds that key, and no other token has marked this tick or a later tick.
	 * A negative tick is only read. The tick 1 stands for now, and the register gets the
	 * earliest moment of the next tick. The first argument is the earliest moment of the
	 * tick in microseconds, a colon and the token. The second argument is the time by
	 * which the register of a tick is kept longer than a fence counter.
	 * <p>
	 * A tick that is due too late by the node's time would block all ticks before it, and
	 * the register of a tick that is long past may have expired.
	 */
	TICK(true, false, """
			local earliest, token = string.match(ARGV[1], '^(%d+):(.*)$')
			local tick = math.abs(tonumber(ARGV[3]))
			local mark = tick
			if tick == 1 then
			  tick, mark = now + 1, now + ARGV[2] * 500
			end
			local last, marked = 0, ''
			local register = redis.call('GET', KEYS[2])
			if register then
			  last, marked = string.match(register, '^(%d+) (.*)$')
			  last = tonumber(last)
			  if not last then
			    return redis.error_reply('WRONGTYPE the last tick of a job is not a tick')
			  end
			end
			if last > mark or last >= tick and marked ~= token then
			  return {7, last}
			end
			local kept = ARGV[5] + ARGV[2]
			if now - tick > kept * 500 or earliest - now > tonumber(ARGV[4]) then
			  return {8, now}
			end
			if redis.call('GET', KEYS[1]) ~= token then
			  return {4, 0}
			end
			if tonumber(ARGV[3]) > 0 then
			  redis.call('SET', KEYS[2], string.format('%.0f ', mark) .. token, 'PX', string.format('%.0f', kept))
			end
			return {1, 0, now}
			"""),

	/**
	 * Deletes each key that holds the token, or lets it expire after a while. Counts the
	 * listeners, and announces the release to them if the fence is not 0. A key that is
	 * free already is announced as well, because its earlier release may not have been
	 * announced. The release is valid even if the Redis user may neither count listeners
	 * nor announce, and the answer has a code of its own in that case. The announcement
	 * contains the first characters of the released token to identify the release. If the
	 * fence is 2, the last key is only the channel and is not released.
	 */
	RELEASE(false, false, """
			local call = redis.call
			local released = false
			local most = 0
			local silent = false
			local shared = ARGV[3] == '2' and KEYS[#KEYS]
			for i = 1, shared and #KEYS - 1 or #KEYS do
			  local channel = shared or KEYS[i]
			  local holder = redis.pcall('GET', KEYS[i])
			  if holder == ARGV[1] then
			    released = true
			    if ARGV[2] == '0' then
			      call('DEL', KEYS[i])
			    else
			      local left = call('PTTL', KEYS[i])
			      if left < 0 or left > tonumber(ARGV[2]) then
			        call('PEXPIRE', KEYS[i], ARGV[2])
			      end
			    end
			  end
			  if holder == ARGV[1] or not holder and ARGV[3] ~= '0' then
			    local listeners = redis.pcall('PUBSUB', 'NUMSUB', channel)[2]
			    silent = silent or not listeners
			    if listeners and listeners > 0 then
			      most = math.max(most, listeners)
			      if ARGV[3] ~= '0' then
			        local told = redis.pcall('PUBLISH', channel, string.sub(ARGV[1], 1, 8) .. ':' .. listeners)
			        silent = silent or type(told) == 'table'
			      end
			    end
			  end
			end
			return {not released and 3 or silent and 9 or 5, most}
			"""),

	/**
	 * Reads all keys. The answer has one line for each key. The line of a free key is
	 * empty, any other line has the remaining time and the value without line breaks.
	 */
	INSPECT(false, false, """
			local seen = {}
			for i = 1, #KEYS do
			  local holder = redis.call('GET', KEYS[i])
			  seen[i] = holder and redis.call('PTTL', KEYS[i]) .. ' ' .. string.gsub(holder, '\\n', ' ') or ''
			end
			return {10, 0, 0, table.concat(seen, '\\n')}
			""");

	/**
	 * The first lines of a bound script. A counter that is ahead of the node's clock is
	 * kept longer, because without a counter the next fence comes from the clock.
	 */
	private static final String COUNTERS = """
			local time = redis.call('TIME')
			local now = time[1] * 1000000 + time[2]
			local function keep(counter)
			  return string.format('%.0f', ARGV[5] + math.max(0, (counter - now) / 1000))
			end
			""";

	/**
	 * The start of a bound script that is sent as a whole. The digest of such a script
	 * does not reveal that the server process has changed.
	 */
	private static final String SAME_PROCESS = """
			if not string.find(redis.call('INFO', 'server'), 'run_id:%s', 1, true) then
			  return redis.error_reply('STALE another process answers')
			end
			""";

	private final boolean bound;

	private final boolean marked;

	private final String body;

	LockScript(boolean bound, boolean marked, String body) {
		this.bound = bound;
		this.marked = marked;
		this.body = body;
	}

	/**
	 * Whether the script gives or keeps a claim. Such a script may only run on the
	 * incarnation of the server that was checked. Behind each lock key, the script takes
	 * the counter key or the key of the last tick.
	 */
	boolean bound() {
		return this.bound;
	}

	/**
	 * Whether the script compares the marker of the server's data. Scripts that need an
	 * existing lock key do not compare the marker, because the lock key would be lost
	 * together with the marker.
	 */
	boolean marked() {
		return this.marked;
	}

	/**
	 * Returns the text for one incarnation of a server. A bound script starts with a
	 * comment that names the run id, so that its digest is unknown to each other
	 * incarnation.
	 * @param runId the run id of the server
	 * @param marker the marker of its data, or null without a marker
	 * @param sharded whether the server belongs to a cluster, where channels have slots
	 */
	String text(String runId, @Nullable Marker marker, boolean sharded) {
		if (!this.bound) {
			return announcing(this.body, sharded);
		}
		return "-- for " + runId + "\n" + (this.marked ? Marker.opening(marker, sharded) : "") + COUNTERS + this.body;
	}

	/**
	 * Returns a script with the commands for announcements that the server has.
	 */
	static String announcing(String script, boolean sharded) {
		return sharded ? script.replace("'NUMSUB'", "'SHARDNUMSUB'").replace("'PUBLISH'", "'SPUBLISH'") : script;
	}

	/**
	 * Returns the text to send to a server that does not know the script. A bound script
	 * compares the process before anything else.
	 * @see #text
	 */
	String wholeText(String runId, @Nullable Marker marker, boolean sharded) {
		String text = text(runId, marker, sharded);
		return this.bound ? SAME_PROCESS.formatted(runId) + text : text;
	}

}
