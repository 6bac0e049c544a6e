package dev.redlock.lettuce.internal.script;

import dev.redlock.lettuce.internal.facts.NodeSettings;
import dev.redlock.lettuce.internal.script.ScriptReply.Code;
import org.jspecify.annotations.Nullable;

/**
 * The Lua scripts that read and write locks. Each script takes as arguments the token, a
 * ttl in milliseconds, the fence, {@link NodeSettings#clockBoundMicros}, and the
 * retention of fence counters in milliseconds.
 * <p>
 * RELEASE and INSPECT take lock keys, RELEASE perhaps with a key that names the channel;
 * other scripts also take a {@link CounterKeys} key after each lock key. The last key of
 * a script that writes new lock keys is the {@link Marker} of the server's data. On a
 * cluster with one master, the script text contains the {@code Marker} key instead,
 * because its hash slot may differ from the lock's.
 * <p>
 * The answer of a script contains a {@link Code}, up to three numbers, and the value of a
 * held lock key. The usual answer is one negative number, because a list costs the server
 * an eighth of its time for a lock: for a lock with the proposed fence, minus the
 * server's time; for a release, -1 minus the number of subscribers. Redis does not roll a
 * script back, so steps that can fail come before the first write, or the script undoes
 * its writes.
 */
public enum LockScript {

	/**
	 * Sets all lock keys, and raises each fence counter to one new fence above all former
	 * fences. The new fence is the proposed fence, or a higher number if a counter has
	 * already reached the proposed fence. For a missing fence counter, which may have
	 * been lost, the script assumes the server's time minus 250 ms. A restarted server
	 * waits 500 ms longer than any lock lasts, so the assumed counter exceeds all its
	 * earlier fences. If the assumed counter were the current time, it could exceed the
	 * proposed fence, and each server would answer another fence.
	 */
	ACQUIRE(true, true, """
			local call = redis.call
			local proposed = tonumber(ARGV[3])
			if proposed > 0 and math.abs(now - proposed) > tonumber(ARGV[4]) then
			  return {$CLOCK, now}
			end
			for i = 1, last, 2 do
			  if not call('SET', KEYS[i], ARGV[1], 'NX', 'PX', ARGV[2]) then
			    for j = 1, i - 2, 2 do
			      call('DEL', KEYS[j])
			    end
			    return {$HELD, call('PTTL', KEYS[i]), 0, call('GET', KEYS[i])}
			  end
			end
			if proposed <= 0 then
			  return -now
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
			  return -now
			end
			for i = 2, last, 2 do
			  call('SET', KEYS[i], string.format('%.0f', fence), 'PX', keep(fence))
			end
			return {$GRANTED, fence, now}
			"""),

	/**
	 * Sets all lock keys that contain the token of a predecessor to a new token, and
	 * raises the fence counters as ACQUIRE does. All checks come before the first write,
	 * because an undo by DEL would release the predecessor. The token argument is the
	 * highest fence that a counter may have, the length of the predecessor's token in
	 * bytes, and both tokens. With the highest fence -1, the succession is not strict: it
	 * sets free keys too, its refusal releases the keys of the predecessor, and its grant
	 * counts the subscribers to releases as RELEASE does.
	 */
	SUCCEED(true, true, """
			local call = redis.call
			local proposed = tonumber(ARGV[3])
			if proposed > 0 and math.abs(now - proposed) > tonumber(ARGV[4]) then
			  return {$CLOCK, now}
			end
			-- What does the token argument say?
			local highest, length, tokens = string.match(ARGV[1], '^(%-?%d+) (%d+) (.*)$')
			local former, token = string.sub(tokens, 1, length), string.sub(tokens, length + 1)
			highest = tonumber(highest)
			local strict = highest >= 0
			-- Who has each lock key: the predecessor, nobody, or another?
			local inherited = {}
			local free, refusal
			for i = 1, last, 2 do
			  local holder = call('GET', KEYS[i])
			  if holder == former then
			    inherited[#inherited + 1] = KEYS[i]
			  elseif not holder then
			    free = true
			  else
			    refusal = refusal or {$HELD, call('PTTL', KEYS[i]), 0, holder}
			  end
			end
			if refusal then
			  if not strict and #inherited > 0 then
			    call('DEL', unpack(inherited))
			  end
			  return refusal
			end
			if strict and free then
			  return {$MISSING, 0}
			end
			-- Which fence is above all counters, and has another holder raised one?
			local fence = proposed
			for i = 2, (strict or proposed > 0) and last or 0, 2 do
			  local stored = call('GET', KEYS[i])
			  local counter = not stored and now - 250001 or tonumber(stored)
			  if not counter or counter < 0 or counter > 9007199254740990 or counter % 1 ~= 0 then
			    return redis.error_reply('WRONGTYPE the counter of a lock is not an integer')
			  end
			  if strict and stored and counter > highest then
			    return {$LOST, 0}
			  end
			  fence = proposed > 0 and math.max(fence, counter + 1) or proposed
			end
			-- Nothing is refused any more.
			for i = 1, last, 2 do
			  call('SET', KEYS[i], token, 'PX', ARGV[2])
			  if proposed > 0 then
			    call('SET', KEYS[i + 1], string.format('%.0f', fence), 'PX', keep(fence))
			  end
			end
			-- How many wait for a release? A strict successor does not ask.
			local most = 0
			for i = 1, strict and 0 or last, 2 do
			  most = math.max(most, redis.pcall('PUBSUB', 'NUMSUB', KEYS[i] .. '$DATABASE')[2] or 0)
			end
			return fence == proposed and most == 0 and -now or {$GRANTED, fence, now, most}
			"""),

	/**
	 * Extends each lock key that would expire earlier, and raises each counter to the
	 * fence, if all lock keys contain the token. A fence counter that has reached the
	 * fence only gets a new ttl, because SET would need free memory. With a ttl of one
	 * millisecond, EXTEND only raises fence counters and extends no lock key.
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
			    return {$LOST, 0}
			  end
			  if fence > 0 then
			    local counter = tonumber(redis.call('GET', KEYS[i + 1]) or 0)
			    enough[i] = counter >= fence and counter
			  end
			end
			if missing then
			  return {$MISSING, 0}
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
			return {$GRANTED, fence, now}
			"""),

	/**
	 * Writes the lock keys of a valid lease on a server that lost them, if no later lock
	 * has used these keys.
	 */
	RESTORE(true, true, """
			local fence = tonumber(ARGV[3])
			local held = {}
			for i = 1, last, 2 do
			  local holder = redis.call('GET', KEYS[i])
			  if holder and holder ~= ARGV[1] then
			    return {$HELD, redis.call('PTTL', KEYS[i]), 0, holder}
			  end
			  held[i] = holder
			  if fence > 0 and tonumber(redis.call('GET', KEYS[i + 1]) or 0) > fence then
			    return {$LOST, 0}
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
			return {$GRANTED, fence, now}
			"""),

	/**
	 * Records the due time of a scheduled job's run in the job's key, if the lock key
	 * contains the token. TICK refuses if another token has recorded the same or a later
	 * due time. With a negative due time, TICK only answers whether the run could be
	 * recorded. With the due time 1, TICK records the earliest time of the next run,
	 * computed from the server's time. The token argument of TICK is preceded by the
	 * job's earliest start in microseconds and a colon. The ttl argument of TICK says how
	 * much longer than a fence counter the job's key is kept.
	 * <p>
	 * TICK rejects a due time far in the future, because its record would block all
	 * earlier runs of the job. TICK rejects a due time long past, because the record of
	 * that run may have expired.
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
			  return {$TAKEN, last}
			end
			local kept = ARGV[5] + ARGV[2]
			if now - tick > kept * 500 or earliest - now > tonumber(ARGV[4]) then
			  return {$NOT_NOW, now}
			end
			if redis.call('GET', KEYS[1]) ~= token then
			  return {$LOST, 0}
			end
			if tonumber(ARGV[3]) > 0 then
			  redis.call('SET', KEYS[2], string.format('%.0f ', mark) .. token, 'PX', string.format('%.0f', kept))
			end
			return {$GRANTED, 0, now}
			"""),

	/**
	 * Deletes each lock key that contains the token, or shortens its ttl. Announces the
	 * release on the channel of the lock key ({@link Channels}), unless the fence
	 * argument is 0. The release of a lock key that is already free is announced too,
	 * because its earlier release may not have been announced. If the Redis user may not
	 * publish, the script still releases the lock keys and answers with another code. The
	 * announcement of a release contains the first characters of the released token. With
	 * the fence argument 2, RELEASE does not release its last key, which only names the
	 * channel.
	 */
	RELEASE(false, false, """
			local call = redis.call
			local released = false
			local most = 0
			local silent = false
			local shared = ARGV[3] == '2' and KEYS[#KEYS]
			for i = 1, shared and #KEYS - 1 or #KEYS do
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
			    local channel = (shared or KEYS[i]) .. '$DATABASE'
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
			return released and not silent and -1 - most or {released and $SILENT or $MISSING, most}
			"""),

	/**
	 * The answer of INSPECT has one line for each lock key: an empty line for a free key,
	 * otherwise its remaining time and its value.
	 */
	INSPECT(false, false, """
			local seen = {}
			for i = 1, #KEYS do
			  local holder = redis.call('GET', KEYS[i])
			  seen[i] = holder and redis.call('PTTL', KEYS[i]) .. ' ' .. string.gsub(holder, '\\n', ' ') or ''
			end
			return {$SEEN, 0, 0, table.concat(seen, '\\n')}
			""");

	/**
	 * If a fence counter is ahead of the server's clock, its ttl grows by the difference.
	 * Without the fence counter, the next fence would come from the server's clock and be
	 * too low.
	 */
	private static final String COUNTERS = """
			local time = redis.call('TIME')
			local now = time[1] * 1000000 + time[2]
			local function keep(counter)
			  return string.format('%.0f', ARGV[5] + math.max(0, (counter - now) / 1000))
			end
			""";

	/**
	 * A script that is sent as text compares the run id, because a restarted server would
	 * also run the text.
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
		this.body = Code.inserted(body);
	}

	/**
	 * Whether the script's text contains the run id, so that it runs only on a server
	 * process that was checked.
	 */
	public boolean bound() {
		return this.bound;
	}

	/**
	 * Whether the script begins something that can wait, a new lock or a look, so that it
	 * is not sent while the server is behind. A lease that SUCCEED was to succeed is then
	 * released by RELEASE.
	 */
	public boolean begins() {
		return this == ACQUIRE || this == SUCCEED || this == INSPECT;
	}

	/**
	 * Whether the script first checks by the {@link Marker} that the server still has its
	 * data. EXTEND and TICK do not read the {@code Marker}, because they fail if the lock
	 * key is lost.
	 */
	public boolean marked() {
		return this.marked;
	}

	/**
	 * Returns the text of the script for one server process. The text of a {@link #bound}
	 * script contains the server's run id, so a restarted server does not know its
	 * digest.
	 */
	public String text(String runId, @Nullable Marker marker, Channels channels) {
		if (!this.bound) {
			return channels.announcing(this.body);
		}
		return "-- for " + runId + "\n" + (this.marked ? Marker.opening(marker, channels.sharded()) : "") + COUNTERS
				+ channels.announcing(this.body);
	}

	/**
	 * Returns the script's text for a server that may not know the script's digest.
	 * Before a script writes, its text checks that the server process is still the same.
	 */
	String wholeText(String runId, @Nullable Marker marker, Channels channels) {
		String text = text(runId, marker, channels);
		return this.bound ? SAME_PROCESS.formatted(runId) + text : text;
	}

}
