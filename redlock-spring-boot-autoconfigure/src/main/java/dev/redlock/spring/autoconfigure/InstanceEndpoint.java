package dev.redlock.spring.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.lettuce.core.RedisURI;

/**
 * Where an instance leads, in a form without credentials that can be compared.
 */
final class InstanceEndpoint {

	private InstanceEndpoint() {
	}

	/**
	 * The properties of the instance that say where it leads; one of them is right.
	 */
	static List<String> kinds(RedlockInstance instance) {
		List<String> kinds = new ArrayList<>();
		if (instance.host() != null) {
			kinds.add("host");
		}
		if (instance.url() != null) {
			kinds.add("url");
		}
		if (instance.sentinel().master() != null || !instance.sentinel().nodes().isEmpty()) {
			kinds.add("sentinel");
		}
		if (!instance.cluster().nodes().isEmpty()) {
			kinds.add("cluster");
		}
		if (instance.connectionFactory() != null) {
			kinds.add("connection-factory");
		}
		return kinds;
	}

	/**
	 * The database is left out: two databases of one server are one server.
	 */
	static String of(RedlockInstance instance) {
		List<String> kinds = kinds(instance);
		if (kinds.size() != 1) {
			return "unclear";
		}
		return switch (kinds.get(0)) {
			case "host" -> address(String.valueOf(instance.host()), instance.port());
			case "url" -> ofUrl(String.valueOf(instance.url()));
			case "sentinel" ->
				"sentinel " + instance.sentinel().master() + " at " + sorted(instance.sentinel().nodes());
			case "cluster" -> "cluster " + sorted(instance.cluster().nodes());
			default -> "connection-factory " + instance.connectionFactory();
		};
	}

	private static String ofUrl(String url) {
		try {
			RedisURI uri = RedisURI.create(url);
			return address(uri.getHost(), uri.getPort());
		}
		catch (IllegalArgumentException ex) {
			return "a URL that cannot be read";
		}
	}

	private static String address(String host, int port) {
		return host.toLowerCase(Locale.ROOT) + ":" + port;
	}

	private static List<String> sorted(List<String> nodes) {
		return addresses(nodes).stream().map((node) -> node.toLowerCase(Locale.ROOT)).sorted().toList();
	}

	/**
	 * The nodes without the credentials that somebody may have put in front of them.
	 */
	static List<String> addresses(List<String> nodes) {
		return nodes.stream().map((node) -> node.substring(node.lastIndexOf('@') + 1)).toList();
	}

}
