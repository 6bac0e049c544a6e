package dev.redlock.spring.autoconfigure;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.data.redis.connection.RedisConfiguration;

/**
 * The addresses of the Redis nodes that vote on locks. A bean of this type takes the
 * place of {@code redlock.instances}. The nodes of several beans are combined, because
 * each service of Docker Compose contributes one node.
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
	 * cannot hold locks of other processes. Nodes that were not used before vote at once.
	 * A node that is restarted later waits before it votes, like any other node.
	 * @return true for nodes that were not used before
	 */
	default boolean isFresh() {
		return false;
	}

	/**
	 * A Redis server with one vote, or a Sentinel group or Cluster with one vote.
	 *
	 * @param server the address and the credentials of the server
	 * @param sslBundle the certificates and keys of an encrypted connection, null for a
	 * connection without encryption
	 */
	record Node(RedisConfiguration server, @Nullable SslBundle sslBundle) {

		/**
		 * Describes a standalone server whose connection is not encrypted.
		 * @param host the host name or address
		 * @param port the port
		 * @param username the ACL user, if any
		 * @param password the password, if any
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
