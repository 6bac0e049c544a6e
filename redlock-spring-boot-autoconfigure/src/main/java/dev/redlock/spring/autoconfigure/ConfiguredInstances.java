package dev.redlock.spring.autoconfigure;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.redlock.spring.autoconfigure.internal.settings.InvalidRedlockConfigurationException;
import dev.redlock.spring.autoconfigure.internal.settings.RedlockInstance;
import dev.redlock.spring.autoconfigure.internal.settings.RedlockProperties;
import dev.redlock.spring.autoconfigure.internal.settings.ServerConfiguration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/**
 * Checks the properties below {@code redlock.instances} and describes the configured
 * Redis instances.
 */
final class ConfiguredInstances {

	private static final int HIGHEST_PORT = 65_535;

	private static final Pattern HOST_AND_PORT = Pattern.compile("(\\[[^\\]]+]|[^:\\[\\]]+):(\\d+)");

	private static final Logger logger = LoggerFactory.getLogger("dev.redlock.node");

	private final Map<String, RedlockInstance> instances = new LinkedHashMap<>();

	private final Map<String, RedlockConnectionDetails.Node> nodes = new LinkedHashMap<>();

	ConfiguredInstances(RedlockProperties properties, ObjectProvider<SslBundles> sslBundles) {
		RedlockProperties.Defaults defaults = properties.defaults();
		checkPort("redlock.defaults.port", defaults.port());
		properties.instances().forEach((name, instance) -> {
			check(name, instance);
			this.instances.put(name, instance.withDefaults(defaults));
		});
		if (defaults.areSet() && this.instances.isEmpty()) {
			logger.warn("redlock.defaults is ignored, because there are no redlock.instances.");
		}
		sslBundle("redlock.defaults", defaults.ssl(), false, sslBundles);
		this.instances.forEach((name, instance) -> {
			if (instance.connectionFactory() == null) {
				boolean encrypted = instance.url() != null && ServerConfiguration.uri(name, instance.url()).isSsl();
				this.nodes.put(name, new RedlockConnectionDetails.Node(ServerConfiguration.of(name, instance),
						sslBundle("redlock.instances." + name, instance.ssl(), encrypted, sslBundles)));
			}
		});
		checkServers();
	}

	/**
	 * Returns the instances whose servers are configured by properties, not by a
	 * connection factory bean.
	 */
	Map<String, RedlockConnectionDetails.Node> nodes() {
		return this.nodes;
	}

	Map<String, RedlockInstance> all() {
		return this.instances;
	}

	private static @Nullable SslBundle sslBundle(String group, RedlockInstance.Ssl ssl, boolean encrypted,
			ObjectProvider<SslBundles> sslBundles) {
		if (ssl.bundle() == null) {
			return (encrypted || ssl.isOn()) ? SslBundle.systemDefault() : null;
		}
		try {
			return sslBundles.getObject().getBundle(ssl.bundle());
		}
		catch (NoSuchSslBundleException ex) {
			throw new InvalidRedlockConfigurationException(group + ".ssl.bundle",
					"there is no SSL bundle named '" + ssl.bundle() + "'.",
					"Define the bundle under spring.ssl.bundle.jks or spring.ssl.bundle.pem, or correct the name.", ex);
		}
	}

	private static void check(String name, RedlockInstance instance) {
		List<String> kinds = instance.kinds();
		refuse(kinds.size() != 1, "redlock.instances." + name,
				kinds.isEmpty() ? "the instance does not say where its server is."
						: "the instance sets " + String.join(" and ", kinds) + ".",
				"Set exactly one of host, url, sentinel, cluster and connection-factory.");
		if (instance.host() != null) {
			checkHost("redlock.instances." + name + ".host", instance.host());
		}
		if (instance.port() != null) {
			checkPort("redlock.instances." + name + ".port", instance.port());
		}
		instance.ignored(ServerConfiguration.isPasswordInUrl(name, instance)).stream().findFirst().ifPresent((part) -> {
			throw new InvalidRedlockConfigurationException("redlock.instances." + name + "." + part,
					"the property would be ignored, because the instance also has '" + kinds.get(0) + "'.",
					"Remove the property" + inPlaceOf(kinds.get(0)));
		});
	}

	/**
	 * Rejects a host property with more than a host name, because Redis clients would
	 * look up the whole text as a host name.
	 */
	private static void checkHost(String property, String host) {
		Matcher both = HOST_AND_PORT.matcher(host);
		refuse(host.isBlank(), property, "the host is empty.", "Write the name or the address of the server.");
		refuse(host.indexOf('/') >= 0 || host.indexOf('@') >= 0, property,
				"the host is a URL, which is not shown because it may contain a password.",
				"Write the server as url: redis://user:password@host:port/database, or rediss:// for TLS.");
		ServerConfiguration.requireValues(property, host);
		refuse(host.chars().anyMatch((letter) -> letter == ',' || Character.isWhitespace(letter)), property,
				"'" + host + "' has a blank or a comma.",
				"Write one host without blanks. Configure each other server as an instance of its own.");
		if (both.matches()) {
			throw new InvalidRedlockConfigurationException(property, "'" + host + "' is a host and a port.",
					"Write host: " + both.group(1).replaceAll("[\\[\\]]", "") + " and port: " + both.group(2)
							+ ", or url: redis://" + host + ".");
		}
		refuse(host.indexOf(':') >= 0 && host.indexOf(':') == host.lastIndexOf(':'), property,
				"'" + host + "' is not the name of a host.",
				"Write only the host into this property, and the port into the property port of the instance.");
	}

	private static String inPlaceOf(String kind) {
		return switch (kind) {
			case "url" -> ", or write the value into the URL: redis://user:password@host:port/database.";
			case "connection-factory" -> " here, and set the value on the RedisConnectionFactory bean.";
			case "sentinel" -> ". Each of sentinel.nodes has a port of its own.";
			default -> ". Each of cluster.nodes has a port of its own, and a cluster has one database.";
		};
	}

	private static void checkPort(String property, int port) {
		refuse(port < 1 || port > HIGHEST_PORT, property, port + " is not a valid port.",
				"Write a number from 1 to " + HIGHEST_PORT + ", or remove the property to get the default.");
	}

	private static void refuse(boolean mistake, String property, String reason, String action) {
		if (mistake) {
			throw new InvalidRedlockConfigurationException(property, reason, action);
		}
	}

	private void checkServers() {
		Map<String, String> namesByServer = new HashMap<>();
		this.instances.forEach((name, instance) -> {
			RedlockConnectionDetails.Node node = this.nodes.get(name);
			String server = (node != null) ? node.toString() : "connection-factory " + instance.connectionFactory();
			String other = namesByServer.putIfAbsent(server, name);
			if (other != null) {
				throw InvalidRedlockConfigurationException.sameServer(name, other, "both instances lead to " + server);
			}
		});
	}

}
