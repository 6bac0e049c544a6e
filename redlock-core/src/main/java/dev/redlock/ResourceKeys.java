package dev.redlock;

import java.util.ArrayList;
import java.util.List;

/**
 * Makes the keys of resources. Names may come from users, so none of them may make a key
 * that means something else: the marker of a node, which is behind the prefix too, or the
 * counter of another lock, where the prefix does not keep these apart.
 */
final class ResourceKeys {

	/**
	 * What the keys about a node itself begin with.
	 */
	private static final String NODE = "{redlock-node}";

	private static final String COUNTER = "}:fence";

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
		if (resource.startsWith(NODE)) {
			throw reserved(NODE + " at its beginning, as the keys about a node have.");
		}
		if (key.startsWith("{") && isCounter(key)) {
			throw reserved("the form of the counter of another lock. A redlock.key-prefix that does not begin with a "
					+ "brace keeps them apart.");
		}
		return key;
	}

	/**
	 * Braces with something in them, the word, and perhaps more.
	 */
	private static boolean isCounter(String key) {
		int word = key.indexOf(COUNTER);
		int end = word + COUNTER.length();
		return word > 1 && (end == key.length() || key.charAt(end) == ':');
	}

	private static IllegalArgumentException reserved(String what) {
		return new IllegalArgumentException("The name of a resource has " + what
				+ " The name is not shown, since it may be a secret. Choose another.");
	}

}
