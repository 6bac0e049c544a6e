package dev.redlock.spring.redis;

import java.util.ArrayList;
import java.util.List;

import io.lettuce.core.cluster.SlotHash;
import org.jspecify.annotations.Nullable;

/**
 * Where the counter of a lock key lives: in the same hash slot, so that one script may
 * touch both on a Redis Cluster. Part of the wire format, the same on every kind of node.
 */
final class CounterKeys {

	private static final String SUFFIX = ":fence";

	private CounterKeys() {
	}

	/**
	 * Each lock key followed by its counter key, and one more key behind all of them.
	 */
	static List<String> pairs(List<String> keys, @Nullable String last) {
		if (keys.size() == 1) {
			String key = keys.get(0);
			return (last != null) ? List.of(key, of(key), last) : List.of(key, of(key));
		}
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
		String tag = hashTag(key);
		if (tag != null) {
			return "{" + tag + "}" + SUFFIX + ":" + key;
		}
		if (key.indexOf('}') < 0 && !key.isEmpty()) {
			return "{" + key + "}" + SUFFIX;
		}
		// The key cannot stand between braces, as its own brace would end the tag.
		return "{" + SlotTags.TAGS[SlotHash.getSlot(key)] + "}" + SUFFIX + ":" + key;
	}

	private static @Nullable String hashTag(String key) {
		int open = key.indexOf('{');
		int close = (open >= 0) ? key.indexOf('}', open + 1) : -1;
		return (close > open + 1) ? key.substring(open + 1, close) : null;
	}

	/**
	 * One short tag for each slot, the first number that falls into it. Built when the
	 * first key needs it, which hardly any does.
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
