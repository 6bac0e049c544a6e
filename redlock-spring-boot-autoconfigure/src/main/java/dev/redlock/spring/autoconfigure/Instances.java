package dev.redlock.spring.autoconfigure;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The instances from connection details, or else from properties. Only properties are
 * checked.
 *
 * @param byName the instances by name
 * @param throwAway whether all servers are thrown away with the application
 * @param fresh whether all servers were started for this application alone
 */
record Instances(Map<String, RedlockInstance> byName, boolean throwAway, boolean fresh) {

	private static final int HIGHEST_PORT = 65_535;

	static Instances of(RedlockProperties properties, List<RedlockConnectionDetails> details) {
		if (!details.isEmpty()) {
			return new Instances(byName(details), details.stream().allMatch(RedlockConnectionDetails::isThrowAway),
					details.stream().allMatch(RedlockConnectionDetails::isFresh));
		}
		checkPort("redlock.defaults.port", properties.defaults().port());
		Map<String, RedlockInstance> byName = new LinkedHashMap<>();
		properties.instances().forEach((name, instance) -> {
			check(name, instance);
			byName.put(name, instance.withDefaults(properties.defaults()));
		});
		checkEndpoints(byName);
		return new Instances(byName, false, false);
	}

	private static Map<String, RedlockInstance> byName(List<RedlockConnectionDetails> details) {
		Map<String, RedlockInstance> byName = new LinkedHashMap<>();
		details.forEach((part) -> part.getNodes().forEach((name, node) -> {
			RedlockInstance instance = RedlockInstance.of(node);
			RedlockInstance other = byName.putIfAbsent(name, instance);
			if (other != null) {
				throw new InvalidRedlockConfigurationException("redlock.instances." + name,
						"two connection details have a node of this name: " + other.endpoint() + " and "
								+ instance.endpoint() + ".",
						"Give each node a name of its own. For a Docker Compose service it is the label"
								+ " dev.redlock.node.");
			}
		}));
		return byName;
	}

	private static void check(String name, RedlockInstance instance) {
		List<String> kinds = instance.kinds();
		if (kinds.size() != 1) {
			throw new InvalidRedlockConfigurationException("redlock.instances." + name,
					kinds.isEmpty() ? "it does not say where its server is."
							: "it sets " + String.join(" and ", kinds) + ".",
					"Set exactly one of host, url, sentinel, cluster and connection-factory.");
		}
		if (instance.port() != null) {
			checkPort("redlock.instances." + name + ".port", instance.port());
		}
	}

	private static void checkPort(String property, int port) {
		if (port < 1 || port > HIGHEST_PORT) {
			throw new InvalidRedlockConfigurationException(property, port + " is not a valid port.",
					"Write a number from 1 to " + HIGHEST_PORT + ", or remove it to get the default.");
		}
	}

	private static void checkEndpoints(Map<String, RedlockInstance> instances) {
		Map<String, String> namesByEndpoint = new HashMap<>();
		instances.forEach((name, instance) -> {
			String other = namesByEndpoint.putIfAbsent(instance.endpoint(), name);
			if (other != null) {
				throw InvalidRedlockConfigurationException.sameServer(name, other,
						"both lead to " + instance.endpoint());
			}
		});
	}

}
