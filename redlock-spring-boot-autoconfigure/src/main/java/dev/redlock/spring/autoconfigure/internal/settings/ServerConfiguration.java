package dev.redlock.spring.autoconfigure.internal.settings;

import java.util.Collection;
import java.util.List;
import java.util.Locale;

import io.lettuce.core.RedisURI;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.NamedNode;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration.WithAuthentication;
import org.springframework.data.redis.connection.RedisConfiguration.WithDatabaseIndex;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Turns the properties of an instance into a {@link RedisConfiguration} of Spring Data
 * Redis.
 */
public final class ServerConfiguration {

	private ServerConfiguration() {
	}

	public static RedisConfiguration of(String name, RedlockInstance instance) {
		RedisConfiguration server = (instance.url() != null) ? server(name, instance.url()) : server(name, instance);
		if (server instanceof WithAuthentication authenticated && !hasPassword(server)) {
			authenticated.setUsername(instance.username());
			authenticated.setPassword(RedisPassword.of(instance.password()));
		}
		if (server instanceof WithDatabaseIndex indexed && instance.url() == null) {
			indexed.setDatabase(instance.databaseOrDefault());
		}
		return server;
	}

	public static RedisConfiguration standalone(String host, int port, @Nullable String username,
			@Nullable String password) {
		RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(host, port);
		server.setUsername(username);
		server.setPassword(RedisPassword.of(password));
		return server;
	}

	/**
	 * Returns an address without credentials and database, so that two configurations of
	 * one server have equal addresses.
	 */
	public static String address(RedisConfiguration server) {
		if (server instanceof RedisStandaloneConfiguration one) {
			return one.getHostName().toLowerCase(Locale.ROOT) + ":" + one.getPort();
		}
		if (server instanceof RedisSentinelConfiguration sentinel) {
			NamedNode master = sentinel.getMaster();
			return "sentinel " + ((master != null) ? master.getName() : "without a master") + " at "
					+ sorted(sentinel.getSentinels());
		}
		return (server instanceof RedisClusterConfiguration cluster) ? "cluster " + sorted(cluster.getClusterNodes())
				: server.getClass().getSimpleName();
	}

	private static List<String> sorted(Collection<RedisNode> nodes) {
		return nodes.stream().map((node) -> node.toString().toLowerCase(Locale.ROOT)).sorted().toList();
	}

	public static boolean isPasswordInUrl(String name, RedlockInstance instance) {
		return instance.url() != null && hasPassword(server(name, instance.url()));
	}

	public static RedisURI uri(String name, String url) {
		String property = "redlock.instances." + name + ".url";
		requireValues(property, url);
		if (url.indexOf('?') >= 0 || url.indexOf('#') >= 0) {
			throw new InvalidRedlockConfigurationException(property,
					"the URL has a part behind '?' or '#', which would be ignored.",
					"Write a URL such as redis://host:port/database, and set everything else by other properties of "
							+ "the instance. Percent-encode special characters of the password.");
		}
		if (url.startsWith("redis://") || url.startsWith("rediss://")) {
			try {
				RedisURI uri = RedisURI.create(url);
				if (uri.getHost() != null && !uri.getHost().matches(".*,.*|[^:]*:\\d+")) {
					return uri;
				}
			}
			catch (IllegalArgumentException ex) {
				// The caught exception is not kept as a cause, because its message
				// contains the password.
			}
		}
		throw new InvalidRedlockConfigurationException(property, "the value is not the URL of a Redis server.",
				"Write redis://user:password@host:port/database, or rediss:// for TLS, with special characters of the "
						+ "password percent-encoded. Alternatively, use host, port, username and password, which is "
						+ "necessary if the host has an underscore.");
	}

	/**
	 * Rejects a text with placeholders that have no value, because Spring leaves such
	 * placeholders in the text. The error message does not show the text, because a URL
	 * may contain a password.
	 */
	public static void requireValues(String property, String text) {
		if (text.contains("${")) {
			throw new InvalidRedlockConfigurationException(property,
					"the value has a placeholder that cannot be resolved.",
					"Define the property of the placeholder, or give a default as in ${NAME:localhost}.");
		}
	}

	private static boolean hasPassword(RedisConfiguration server) {
		return server instanceof WithAuthentication authenticated && authenticated.getPassword().isPresent();
	}

	private static RedisConfiguration server(String name, String url) {
		return LettuceConnectionFactory.createRedisConfiguration(uri(name, url));
	}

	private static RedisConfiguration server(String name, RedlockInstance instance) {
		if (instance.host() != null) {
			return new RedisStandaloneConfiguration(instance.host(), instance.portOrDefault());
		}
		if (instance.cluster().nodes().isEmpty()) {
			return sentinel(name, instance.sentinel());
		}
		RedisClusterConfiguration cluster = new RedisClusterConfiguration();
		nodes(name + ".cluster", instance.cluster().nodes()).forEach(cluster::addClusterNode);
		return cluster;
	}

	private static RedisConfiguration sentinel(String name, RedlockInstance.Sentinel properties) {
		if (properties.master() == null || properties.nodes().isEmpty()) {
			throw new InvalidRedlockConfigurationException("redlock.instances." + name + ".sentinel",
					"a Sentinel group needs both a master and nodes.",
					"Set sentinel.master to the name of the master and sentinel.nodes to the addresses of the "
							+ "sentinels.");
		}
		RedisSentinelConfiguration sentinel = new RedisSentinelConfiguration().master(properties.master());
		nodes(name + ".sentinel", properties.nodes()).forEach(sentinel::addSentinel);
		sentinel.setSentinelUsername(properties.username());
		sentinel.setSentinelPassword(RedisPassword.of(properties.password()));
		return sentinel;
	}

	private static List<RedisNode> nodes(String property, List<String> nodes) {
		return nodes.stream().map((node) -> node(property, node)).toList();
	}

	/**
	 * Rejects a URL in a list of addresses, because error messages about the list would
	 * show its password.
	 */
	private static RedisNode node(String property, String node) {
		requireValues("redlock.instances." + property + ".nodes", node);
		if (node.indexOf('@') < 0 && node.indexOf('/') < 0) {
			try {
				return RedisNode.fromString(node);
			}
			catch (RuntimeException ex) {
				throw noAddress(property, "'" + node + "'", ex);
			}
		}
		throw noAddress(property, "a URL, which is not shown because it may contain a password,", null);
	}

	private static InvalidRedlockConfigurationException noAddress(String property, String what,
			@Nullable RuntimeException cause) {
		return new InvalidRedlockConfigurationException("redlock.instances." + property + ".nodes",
				what + " is not an address.",
				"Write each node as host:port. Credentials go into username and password, TLS into ssl.", cause);
	}

}
