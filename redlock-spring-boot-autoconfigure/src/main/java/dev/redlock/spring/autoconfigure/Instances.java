package dev.redlock.spring.autoconfigure;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The instances by name, from properties or connection details, checked one by one and
 * against each other.
 */
final class Instances {

	private static final int HIGHEST_PORT = 65_535;

	private Instances() {
	}

	static Map<String, RedlockInstance> of(RedlockProperties properties,
			@Nullable RedLockConnectionDetails connectionDetails) {
		if (connectionDetails != null) {
			return from(connectionDetails);
		}
		Map<String, RedlockInstance> instances = properties.getInstances();
		instances.forEach(Instances::check);
		checkEndpoints(instances);
		return instances;
	}

	private static Map<String, RedlockInstance> from(RedLockConnectionDetails connectionDetails) {
		Map<String, RedlockInstance> instances = new LinkedHashMap<>();
		connectionDetails.getNodes().forEach((name, node) -> instances.put(name, RedlockInstance.of(node)));
		return instances;
	}

	private static void check(String name, RedlockInstance instance) {
		List<String> kinds = InstanceEndpoint.kinds(instance);
		if (kinds.size() != 1) {
			throw new InvalidRedlockConfigurationException("redlock.instances." + name,
					kinds.isEmpty() ? "it does not say where its server is."
							: "it leads to several places, by " + String.join(" and ", kinds) + ".",
					"Set exactly one of host, url, sentinel, cluster and connection-factory.");
		}
		if (instance.port() < 1 || instance.port() > HIGHEST_PORT) {
			throw new InvalidRedlockConfigurationException("redlock.instances." + name + ".port",
					instance.port() + " is no port of a server.",
					"Write a number from 1 to " + HIGHEST_PORT + ", or remove it to get 6379.");
		}
	}

	private static void checkEndpoints(Map<String, RedlockInstance> instances) {
		Map<String, String> namesByEndpoint = new HashMap<>();
		instances.forEach((name, instance) -> {
			String endpoint = InstanceEndpoint.of(instance);
			String other = namesByEndpoint.putIfAbsent(endpoint, name);
			if (other != null) {
				throw sameServer(name, other, "both lead to " + endpoint);
			}
		});
	}

	static InvalidRedlockConfigurationException sameServer(String name, String other, String how) {
		return new InvalidRedlockConfigurationException("redlock.instances." + name,
				"it is the same server as instance '" + other + "': " + how
						+ ". One server that votes twice makes a majority of its own.",
				"Point '" + name + "' at a server of its own, or remove it.");
	}

}
