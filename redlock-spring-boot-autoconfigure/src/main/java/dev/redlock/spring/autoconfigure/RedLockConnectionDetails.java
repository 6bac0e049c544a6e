package dev.redlock.spring.autoconfigure;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Where the nodes are. A bean of this type takes the place of {@code redlock.instances}.
 * Several beans add up, since each service of Docker Compose brings one of its own.
 */
public interface RedLockConnectionDetails extends ConnectionDetails {

	/**
	 * The nodes by name, in the order in which they are to be listed.
	 * @return the nodes
	 */
	Map<String, Node> getNodes();

	/**
	 * Whether the nodes live no longer than their locks matter, as embedded nodes and
	 * test containers do. The restart guard is off for such nodes.
	 * @return true for nodes that are thrown away
	 */
	default boolean isThrowAway() {
		return false;
	}

	/**
	 * Whether the nodes were started for this application alone, so that nobody can have
	 * locked anything on them yet. They then vote from the first moment; one that is
	 * restarted later waits like any other.
	 * @return true for nodes that nobody has used before
	 */
	default boolean isFresh() {
		return false;
	}

	/**
	 * One standalone Redis server.
	 *
	 * @param host the host name or address
	 * @param port the port
	 * @param username the ACL user, if there is one
	 * @param password the password, if there is one
	 * @param database the number of the database
	 * @param sslBundle the name of the SSL bundle, if the connection is encrypted
	 */
	record Node(String host, int port, @Nullable String username, @Nullable String password, int database,
			@Nullable String sslBundle) {

		/**
		 * Describes a server whose connection is not encrypted.
		 * @param host the host name or address
		 * @param port the port
		 * @param username the ACL user, if there is one
		 * @param password the password, if there is one
		 */
		public Node(String host, int port, @Nullable String username, @Nullable String password) {
			this(host, port, username, password, 0, null);
		}

		/**
		 * Names the address, never the credentials.
		 */
		@Override
		public String toString() {
			return this.host + ":" + this.port;
		}

	}

}
