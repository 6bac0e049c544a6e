package dev.redlock.lettuce;

import java.util.ArrayList;
import java.util.List;

import dev.redlock.spi.LockNode;
import io.lettuce.core.cluster.SlotHash;
import org.jspecify.annotations.Nullable;

/**
 * Computes the names of the fence counter and of the last tick of a lock key. All these
 * keys are in the same hash slot, so that one script may touch them on a Redis Cluster.
 * The names are part of the wire format.
 */
final class CounterKeys {

	/**
	 * The text before the suffix of a tick. The braces make the rights and the reserved
	 * names for counters also cover ticks.
	 */
	private static final String TICK = ":tick{}";

	private CounterKeys() {
	}

	/**
	 * Returns each lock key followed by its counter key.
	 * @param last one more key at the end, or null
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

	static String of(String key) {
		return with("", key);
	}

	/**
	 * Returns the key that has the last tick of a job.
	 */
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
		// The lock key cannot be the hash tag, because a brace in the key would end the
		// tag.
		return "{" + SlotTags.TAGS[SlotHash.getSlot(key)] + "}" + infix + LockNode.COUNTER + ":" + key;
	}

	private static @Nullable String hashTag(String key) {
		int open = key.indexOf('{');
		int close = (open >= 0) ? key.indexOf('}', open + 1) : -1;
		return (close > open + 1) ? key.substring(open + 1, close) : null;
	}

	/**
	 * A short hash tag for each slot: the smallest number that hashes to the slot. The
	 * tags are built when a key first needs a tag, which is rare.
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
