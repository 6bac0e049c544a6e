package dev.redlock.spring.autoconfigure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Several connection details as one. They are thrown away, or fresh, only if all of them
 * are.
 *
 * @param parts the connection details, at least two
 */
record ConnectionDetailsSum(List<RedLockConnectionDetails> parts) implements RedLockConnectionDetails {

	static @Nullable RedLockConnectionDetails of(List<RedLockConnectionDetails> parts) {
		return switch (parts.size()) {
			case 0 -> null;
			case 1 -> parts.get(0);
			default -> new ConnectionDetailsSum(parts);
		};
	}

	@Override
	public Map<String, Node> getNodes() {
		Map<String, Node> nodes = new LinkedHashMap<>();
		for (RedLockConnectionDetails part : this.parts) {
			part.getNodes().forEach((name, node) -> {
				Node other = nodes.putIfAbsent(name, node);
				if (other != null) {
					throw new InvalidRedlockConfigurationException("redlock.instances." + name,
							"two connection details have a node of this name: " + other + " and " + node + ".",
							"Give each node a name of its own. For a Docker Compose service it is the label"
									+ " dev.redlock.node.");
				}
			});
		}
		return nodes;
	}

	@Override
	public boolean isThrowAway() {
		return this.parts.stream().allMatch(RedLockConnectionDetails::isThrowAway);
	}

	@Override
	public boolean isFresh() {
		return this.parts.stream().allMatch(RedLockConnectionDetails::isFresh);
	}

}
