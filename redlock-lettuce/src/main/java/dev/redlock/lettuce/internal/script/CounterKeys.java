package dev.redlock.lettuce.internal.script;

import java.util.ArrayList;
import java.util.List;

import dev.redlock.spi.LockNode;
import io.lettuce.core.cluster.SlotHash;
import org.jspecify.annotations.Nullable;

/**
 * Computes the Redis keys that store the fence counter of a lock and the last run of a
 * scheduled job. A lock key and the keys computed from it have one hash slot, so one
 * script may use them all. All clients of a Redis server must compute the same keys.
 */
public final class CounterKeys {

	/**
	 * The braces let the ACL rules for fence counters also cover the key of a job's last
	 * run.
	 */
	private static final String TICK = ":tick{}";

	private CounterKeys() {
	}

	/**
	 * Returns the lock keys, each followed by the key of its fence counter, and then
	 * {@code last} if not null.
	 */
	static List<String> pairs(List<String> keys, @Nullable String last) {
		List<String> pairs = new ArrayList<>(2 * keys.size() + 1);
		for (String key : keys) {
			pairs.add(key);
			pairs.add(of(key));
		}
		if (last != null) {
			pairs.add(last);
		}
		return pairs;
	}

	public static String of(String key) {
		return with("", key);
	}

	static String ofTick(String key) {
		return with(TICK, key);
	}

	private static String with(String infix, String key) {
		String tag = hashTag(key);
		if (tag != null) {
			return "{" + tag + "}" + infix + LockNode.COUNTER + ":" + key;
		}
		if (key.indexOf('}') < 0 && !key.isEmpty()) {
			return "{" + key + "}" + infix + LockNode.COUNTER;
		}
		// The lock key cannot be the hash tag, because a closing brace in the lock key
		// would end the tag.
		return "{" + SlotTags.TAGS[SlotHash.getSlot(key)] + "}" + infix + LockNode.COUNTER + ":" + key;
	}

	private static @Nullable String hashTag(String key) {
		int open = key.indexOf('{');
		int close = (open >= 0) ? key.indexOf('}', open + 1) : -1;
		return (close > open + 1) ? key.substring(open + 1, close) : null;
	}

	/**
	 * A short hash tag for each hash slot: the smallest number that hashes to the slot.
	 */
	private static final class SlotTags {

		static final String[] TAGS = build();

		private static String[] build() {
			String[] tags = new String[SlotHash.SLOT_COUNT];
			int missing = tags.length;
			for (int number = 0; missing > 0; number++) {
				String tag = Integer.toString(number);
				int slot = SlotHash.getSlot(tag);
				if (tags[slot] == null) {
					tags[slot] = tag;
					missing--;
				}
			}
			return tags;
		}

	}

}
