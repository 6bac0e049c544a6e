package dev.redlock.spring.autoconfigure;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * One Redis server, or one Sentinel group or Cluster that counts as one, that votes.
 *
 * @param host Host name or address of a standalone server.
 * @param port Port of a standalone server.
 * @param url URL of a standalone server, like redis://user:password@host:6379/0, or
 * rediss for TLS. Replaces host, port, username, password and database.
 * @param username ACL user.
 * @param password Password.
 * @param database Number of the database.
 * @param clientName Name of the connection, as CLIENT LIST shows it.
 * @param connectionFactory Name of a RedisConnectionFactory bean of the application to
 * use instead. Slower than a connection of the lock's own.
 * @param ssl How the connection is encrypted.
 * @param sentinel The sentinels that know the master.
 * @param cluster The cluster.
 */
public record RedlockInstance(@Nullable String host, @DefaultValue("6379") int port, @Nullable String url,
		@Nullable String username, @Nullable String password, @DefaultValue("0") int database,
		@Nullable String clientName, @Nullable String connectionFactory, @DefaultValue Ssl ssl,
		@DefaultValue Sentinel sentinel, @DefaultValue Cluster cluster) {

	static RedlockInstance of(RedLockConnectionDetails.Node node) {
		return new RedlockInstance(node.host(), node.port(), null, node.username(), node.password(), node.database(),
				null, null, new Ssl(false, node.sslBundle()), new Sentinel(null, List.of(), null, null),
				new Cluster(List.of()));
	}

	/**
	 * Names no credentials.
	 */
	@Override
	public String toString() {
		return "RedlockInstance[" + InstanceEndpoint.of(this) + "]";
	}

	/**
	 * How a connection is encrypted.
	 *
	 * @param enabled Whether to use TLS. A bundle turns it on too.
	 * @param bundle Name of the SSL bundle with certificates and keys.
	 */
	public record Ssl(@DefaultValue("false") boolean enabled, @Nullable String bundle) {

	}

	/**
	 * The sentinels that know a master.
	 *
	 * @param master Name of the master.
	 * @param nodes Addresses of the sentinels, each as host:port.
	 * @param username ACL user for the sentinels.
	 * @param password Password for the sentinels.
	 */
	public record Sentinel(@Nullable String master, @DefaultValue List<String> nodes, @Nullable String username,
			@Nullable String password) {

		/**
		 * Names no credentials.
		 */
		@Override
		public String toString() {
			return "Sentinel[master=" + this.master + ", nodes=" + InstanceEndpoint.addresses(this.nodes) + "]";
		}

	}

	/**
	 * A cluster.
	 *
	 * @param nodes Addresses of some members, each as host:port.
	 */
	public record Cluster(@DefaultValue List<String> nodes) {

		/**
		 * Names no credentials.
		 */
		@Override
		public String toString() {
			return "Cluster[nodes=" + InstanceEndpoint.addresses(this.nodes) + "]";
		}

	}

}
