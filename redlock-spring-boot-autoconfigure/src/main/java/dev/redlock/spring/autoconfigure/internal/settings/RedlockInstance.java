package dev.redlock.spring.autoconfigure.internal.settings;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.lettuce.core.RedisURI;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;

/**
 * A Redis instance with one vote on each lock: a server, a Sentinel group or a Redis
 * Cluster.
 *
 * @param url URL of a standalone server, like redis://user:password@host:6379/0, or
 * rediss for TLS.
 * @param connectionFactory Name of a LettuceConnectionFactory bean, whose servers,
 * credentials and options locks copy.
 * @param keepsAcknowledgedWrites Whether the operator declares that the server keeps each
 * acknowledged write over restarts and failovers. The declaration is not checked, and
 * lets the server vote on locks at once after a restart.
 */
public record RedlockInstance(@Nullable String host, @Nullable Integer port, @Nullable String url,
		@Nullable String username, @Nullable String password, @Nullable Integer database, @Nullable String clientName,
		@Nullable String connectionFactory, @DefaultValue("false") boolean keepsAcknowledgedWrites,
		@DefaultValue Ssl ssl, @DefaultValue Sentinel sentinel, @DefaultValue Cluster cluster) {

	public static RedlockInstance ofUrl(String url) {
		return new RedlockInstance(null, null, url, null, null, null, null, null, false, new Ssl(null, null),
				new Sentinel(null, List.of(), null, null), new Cluster(List.of()));
	}

	/**
	 * Returns a text without credentials, because the text may be logged.
	 */
	@Override
	public String toString() {
		return "RedlockInstance" + kinds();
	}

	public RedlockInstance withDefaults(RedlockProperties.Defaults defaults) {
		// An instance with a user of its own must not get the password of
		// redlock.defaults.
		boolean shared = this.username == null && this.password == null;
		return new RedlockInstance(this.host, (this.port != null) ? this.port : Integer.valueOf(defaults.port()),
				this.url, shared ? defaults.username() : this.username, shared ? defaults.password() : this.password,
				this.database, this.clientName, this.connectionFactory, this.keepsAcknowledgedWrites,
				this.ssl.withDefaults(defaults.ssl()), this.sentinel, this.cluster);
	}

	int portOrDefault() {
		return (this.port != null) ? this.port : RedisURI.DEFAULT_REDIS_PORT;
	}

	int databaseOrDefault() {
		return (this.database != null) ? this.database : 0;
	}

	/**
	 * Returns which of the properties host, url, sentinel, cluster and connection-factory
	 * are set.
	 */
	public List<String> kinds() {
		Map<String, Boolean> kinds = new LinkedHashMap<>();
		kinds.put("host", this.host != null);
		kinds.put("url", this.url != null);
		kinds.put("sentinel", this.sentinel.isSet());
		kinds.put("cluster", !this.cluster.nodes().isEmpty());
		kinds.put("connection-factory", this.connectionFactory != null);
		return kinds.keySet().stream().filter(kinds::get).toList();
	}

	/**
	 * Returns the properties that are set but have no effect on the instance's kind of
	 * server.
	 */
	public List<String> ignored(boolean urlHasPassword) {
		boolean ofBean = this.connectionFactory != null;
		Map<String, Boolean> ignored = new LinkedHashMap<>();
		ignored.put("port", this.port != null && this.host == null);
		ignored.put("database",
				this.database != null && (ofBean || this.url != null || !this.cluster.nodes().isEmpty()));
		ignored.put("username", StringUtils.hasLength(this.username) && (ofBean || urlHasPassword));
		ignored.put("password", StringUtils.hasLength(this.password) && (ofBean || urlHasPassword));
		ignored.put("client-name", this.clientName != null && ofBean);
		ignored.put("ssl", this.ssl.isSet() && ofBean);
		return ignored.keySet().stream().filter(ignored::get).toList();
	}

	private static List<String> withoutCredentials(List<String> nodes) {
		return nodes.stream().map((node) -> node.substring(node.lastIndexOf('@') + 1)).toList();
	}

	/**
	 * How a connection is encrypted.
	 *
	 * @param enabled Whether to use TLS. An SSL bundle turns TLS on too.
	 * @param bundle Name of the SSL bundle with certificates and keys.
	 */
	public record Ssl(@Nullable Boolean enabled, @Nullable String bundle) {

		boolean isSet() {
			return this.enabled != null || this.bundle != null;
		}

		public boolean isOn() {
			return Boolean.TRUE.equals(this.enabled) || this.bundle != null;
		}

		/**
		 * If an instance turns TLS off, {@code redlock.defaults} cannot turn TLS on.
		 */
		public Ssl withDefaults(Ssl defaults) {
			if (Boolean.FALSE.equals(this.enabled)) {
				return this;
			}
			return new Ssl((this.enabled != null) ? this.enabled : defaults.enabled,
					(this.bundle != null) ? this.bundle : defaults.bundle);
		}

	}

	public record Sentinel(@Nullable String master, @DefaultValue List<String> nodes, @Nullable String username,
			@Nullable String password) {

		boolean isSet() {
			return this.master != null || !this.nodes.isEmpty() || this.username != null || this.password != null;
		}

		@Override
		public String toString() {
			return "Sentinel[master=" + this.master + ", nodes=" + withoutCredentials(this.nodes) + "]";
		}

	}

	public record Cluster(@DefaultValue List<String> nodes) {

		@Override
		public String toString() {
			return "Cluster[nodes=" + withoutCredentials(this.nodes) + "]";
		}

	}

}
