package dev.redlock.spring.autoconfigure;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.data.redis.connection.RedisConfiguration;

/**
 * The addresses of the nodes. A bean of this type takes the place of
 * {@code redlock.instances}. The nodes of several beans are combined, because each
 * service of Docker Compose contributes one.
 */
public interface RedlockConnectionDetails extends ConnectionDetails {

	/**
	 * Returns the nodes by name, in the order in which they are listed.
	 * @return the nodes
	 */
	Map<String, Node> getNodes();

	/**
	 * Returns whether the nodes are thrown away after use, as embedded nodes and test
	 * containers are. The restart guard is off for such nodes.
	 * @return true for nodes that are thrown away
	 */
	default boolean isThrowAway() {
		return false;
	}

	/**
	 * Returns whether the nodes were started for this application alone, so that they
	 * cannot hold locks of other processes. Such nodes vote at once. A node that is
	 * restarted later waits like any other.
	 * @return true for nodes that were not used before
	 */
	default boolean isFresh() {
		return false;
	}

	/**
	 * A Redis server that votes, or a Sentinel group or Cluster that votes as one.
	 *
	 * @param server where it is, with its credentials
	 * @param sslBundle the certificates and keys of an encrypted connection, null for one
	 * that is not encrypted
	 */
	record Node(RedisConfiguration server, @Nullable SslBundle sslBundle) {

		/**
		 * Describes a standalone server whose connection is not encrypted.
		 * @param host the host name or address
		 * @param port the port
		 * @param username the ACL user, if there is one
		 * @param password the password, if there is one
		 */
		public Node(String host, int port, @Nullable String username, @Nullable String password) {
			this(ServerConfiguration.standalone(host, port, username, password), null);
		}

		/**
		 * Shows the address without credentials.
		 */
		@Override
		public String toString() {
			return ServerConfiguration.address(this.server);
		}

	}

}
