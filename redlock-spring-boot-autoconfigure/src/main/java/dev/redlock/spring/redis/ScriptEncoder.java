package dev.redlock.spring.redis;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

import org.jspecify.annotations.Nullable;

/**
 * Encodes a call once for all nodes, which are asked one after the other by one thread.
 * It remembers what each of the last threads asked for last, and nothing else: whoever
 * asks for something new has it encoded anew.
 */
final class ScriptEncoder {

	/**
	 * A power of two, and more than the threads that ask at the same time.
	 */
	private static final int PLACES = 64;

	private final AtomicReferenceArray<@Nullable ScriptArguments> last = new AtomicReferenceArray<>(PLACES);

	ScriptArguments encode(LockScript script, List<String> lockKeys, @Nullable String markerKey, String token,
			long millis, long fence) {
		int place = (int) Thread.currentThread().getId() & (PLACES - 1);
		ScriptArguments before = this.last.getAcquire(place);
		if (before != null && before.areOf(script, lockKeys, markerKey, token, millis, fence)) {
			return before;
		}
		ScriptArguments arguments = new ScriptArguments(script, lockKeys, markerKey, token, millis, fence);
		this.last.setRelease(place, arguments);
		return arguments;
	}

}
