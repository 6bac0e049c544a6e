package dev.redlock.spring.autoconfigure;

import java.util.Map;

import dev.redlock.spring.autoconfigure.internal.settings.ServerConfiguration;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.data.redis.connection.RedisConfiguration;

/**
 * The addresses of the Redis nodes that vote on locks. A bean of this type replaces
 * {@code redlock.instances}. If there are several beans of this type, the nodes of all
 * beans vote on locks.
 */
public interface RedlockConnectionDetails extends ConnectionDetails {

	/**
	 * Returns the Redis nodes by name.
	 * @return the nodes
	 */
	Map<String, Node> getNodes();

	/**
	 * Returns whether the nodes are thrown away after use, like embedded servers and test
	 * containers. For nodes that are thrown away, {@code redlock.restart-guard.enabled}
	 * is ignored, and a restarted node votes on locks at once.
	 */
	default boolean isThrowAway() {
		return false;
	}

	/**
	 * Returns whether the nodes were started for this application alone, so that no other
	 * process can hold locks on them. Such nodes vote on locks at once, except after a
	 * restart.
	 */
	default boolean isFresh() {
		return false;
	}

	/**
	 * A Redis node with one vote on each lock: a server, a Sentinel group or a Redis
	 * Cluster.
	 *
	 * @param server the address and the credentials of the node
	 * @param sslBundle the certificates and keys of an encrypted connection, null for an
	 * unencrypted connection
	 */
	record Node(RedisConfiguration server, @Nullable SslBundle sslBundle) {

		/**
		 * Describes a standalone Redis server with an unencrypted connection.
		 * @param username the ACL user, null for the default user
		 * @param password the password, null for a server without a password
		 */
		public Node(String host, int port, @Nullable String username, @Nullable String password) {
			this(ServerConfiguration.standalone(host, port, username, password), null);
		}

		/**
		 * Returns the address of the node without its credentials.
		 */
		@Override
		public String toString() {
			return ServerConfiguration.address(this.server);
		}

	}

}
