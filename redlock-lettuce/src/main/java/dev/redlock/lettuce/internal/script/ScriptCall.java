package dev.redlock.lettuce.internal.script;

import java.util.List;

import dev.redlock.spi.Claim.Predecessor;
import io.netty.buffer.ByteBufUtil;
import org.jspecify.annotations.Nullable;

/**
 * One call of a script, with the same keys and arguments for all nodes.
 *
 * @param token the token of the lock, for TICK behind the earliest start of the job,
 * empty if the script needs no token
 * @param millis the ttl in milliseconds; for RELEASE, the milliseconds after which the
 * released keys expire; for TICK, how much longer than a fence counter the job's key is
 * kept
 * @param number the fence; for TICK, the due time of a job's run, negative only to ask;
 * for RELEASE, 0 to announce nothing, 1 to announce the release, 2 to announce it on the
 * channel that the last key names
 * @param succeeds the predecessor of a SUCCEED, otherwise null
 */
public record ScriptCall(LockScript script, List<String> keys, String token, long millis, long number,
		@Nullable Predecessor succeeds) {

	public ScriptCall(LockScript script, List<String> keys, String token, long millis, long number) {
		this(script, keys, token, millis, number, null);
	}

	public ScriptCall withKeys(List<String> some) {
		return new ScriptCall(this.script, some, this.token, this.millis, this.number, this.succeeds);
	}

	/**
	 * Returns the first argument of the script: the token, for SUCCEED behind the token
	 * of the predecessor.
	 */
	String tokens() {
		if (this.succeeds == null) {
			return this.token;
		}
		String former = this.succeeds.token();
		return (this.succeeds.strict() ? this.succeeds.fence() : -1) + " " + ByteBufUtil.utf8Bytes(former) + " "
				+ former + this.token;
	}

	List<String> allKeys(@Nullable String markerKey) {
		if (this.script == LockScript.TICK) {
			return List.of(this.keys.get(0), CounterKeys.ofTick(this.keys.get(0)));
		}
		return this.script.bound() ? CounterKeys.pairs(this.keys, markerKey) : this.keys;
	}

	/**
	 * The text of a call never contains the token, because calls may be logged.
	 */
	@Override
	public String toString() {
		return "ScriptCall[" + this.script + " " + this.keys + "]";
	}

}
