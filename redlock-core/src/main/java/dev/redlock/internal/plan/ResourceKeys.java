package dev.redlock.internal.plan;

import java.util.ArrayList;
import java.util.List;

import dev.redlock.spi.LockNode;

/**
 * Turns resource names into Redis keys. Names may come from users, so a name must not
 * produce a key with another meaning, such as the fence counter of another lock.
 */
final class ResourceKeys {

	private static final String COUNTER = "}" + LockNode.COUNTER;

	private ResourceKeys() {
	}

	static List<String> of(List<String> resources, String prefix) {
		List<String> keys = new ArrayList<>(resources.size());
		for (String resource : resources) {
			keys.add(of(resource, prefix));
		}
		return List.copyOf(keys);
	}

	private static String of(String resource, String prefix) {
		String key = prefix + resource;
		if (resource.startsWith(LockNode.ABOUT_NODE)) {
			throw reserved("begin with " + LockNode.ABOUT_NODE + ", like the keys that describe a node.");
		}
		if (key.startsWith("{") && isCounter(key)) {
			throw reserved("look like the fence counter of another lock. A redlock.key-prefix that does not begin "
					+ "with a brace keeps names and fence counters apart.");
		}
		return key;
	}

	/**
	 * A fence counter has non-empty braces, then {@code :fence}, then optionally a colon
	 * and more text.
	 */
	private static boolean isCounter(String key) {
		int word = key.indexOf(COUNTER);
		int end = word + COUNTER.length();
		return word > 1 && (end == key.length() || key.charAt(end) == ':');
	}

	private static IllegalArgumentException reserved(String what) {
		return new IllegalArgumentException("A resource name must not " + what
				+ " The name is not shown, because it may be a secret. Choose another name.");
	}

}
