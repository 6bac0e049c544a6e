package dev.redlock.spring.autoconfigure;

import java.time.Duration;

import dev.redlock.spring.autoconfigure.internal.settings.InvalidRedlockConfigurationException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.resource.ClientResources;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration.StaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceSslClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Creates the Lettuce connection factory of a Redis instance. Locks have their own
 * Lettuce client, because the options of this client would break other uses of Redis.
 */
final class ClientFactory {

	private final ObjectProvider<Tuning> tuning;

	private final ObjectProvider<RedlockClientCustomizer> customizers;

	private final Duration connectTimeout;

	ClientFactory(ObjectProvider<Tuning> tuning, ObjectProvider<RedlockClientCustomizer> customizers,
			Duration connectTimeout) {
		this.tuning = tuning;
		this.customizers = customizers;
		this.connectTimeout = connectTimeout;
	}

	LettuceConnectionFactory create(String name, RedlockConnectionDetails.Node node, @Nullable String clientName,
			ClientResources resources) {
		LettuceClientConfigurationBuilder client = client(resources);
		if (clientName != null) {
			client.clientName(clientName);
		}
		ClientOptions.Builder options = (node.server() instanceof RedisClusterConfiguration)
				? ClusterClientOptions.builder() : ClientOptions.builder();
		if (node.sslBundle() != null) {
			client.useSsl();
			options.sslOptions(sslOptions(node.sslBundle()));
		}
		this.tuning.getIfAvailable(() -> (plain, configuration) -> configuration.clientOptions(plain.build()))
			.apply(options, client);
		return create(name, node.server(), client);
	}

	/**
	 * Creates a connection factory for locks with the servers, credentials and options of
	 * a connection factory of the application.
	 */
	LettuceConnectionFactory createLike(String name, RedisConnectionFactory other, String property, String bean,
			ClientResources resources) {
		RedisConfiguration server = server(other);
		if (server == null || !(other instanceof LettuceConnectionFactory lettuce)) {
			throw new InvalidRedlockConfigurationException(property,
					"locks cannot use the bean '" + bean + "' (" + other.getClass().getName()
							+ "). Locks need a LettuceConnectionFactory, not a subclass, for one server, a socket, a "
							+ "Sentinel group or a Cluster.",
					"Name the server in redlock.instances by host, url, sentinel or cluster, or define a bean "
							+ "whose class is LettuceConnectionFactory itself.");
		}
		LettuceClientConfiguration given = lettuce.getClientConfiguration();
		LettuceClientConfigurationBuilder client = client(resources);
		if (given.isUseSsl()) {
			LettuceSslClientConfigurationBuilder ssl = client.useSsl().verifyPeer(given.getVerifyMode());
			if (given.isStartTls()) {
				ssl.startTls();
			}
		}
		given.getClientOptions().ifPresent(client::clientOptions);
		given.getClientName().ifPresent(client::clientName);
		given.getRedisCredentialsProviderFactory().ifPresent(client::redisCredentialsProviderFactory);
		return create(name, server, client);
	}

	/**
	 * Returns the servers of the factory, or null for a subclass of
	 * LettuceConnectionFactory, which may connect in another way. Reads a private field,
	 * because no method tells whether the factory has a static master with replicas.
	 */
	private static @Nullable RedisConfiguration server(RedisConnectionFactory factory) {
		Object server = (factory.getClass() == LettuceConnectionFactory.class)
				? new DirectFieldAccessor(factory).getPropertyValue("configuration") : null;
		return (server instanceof RedisConfiguration known && !(server instanceof StaticMasterReplicaConfiguration))
				? known : null;
	}

	private LettuceClientConfigurationBuilder client(ClientResources resources) {
		return LettuceClientConfiguration.builder().clientResources(resources).commandTimeout(this.connectTimeout);
	}

	private LettuceConnectionFactory create(String name, RedisConfiguration server,
			LettuceClientConfigurationBuilder client) {
		this.customizers.orderedStream().forEach((customizer) -> customizer.customize(name, client));
		return new LettuceConnectionFactory(server, client.build());
	}

	private static SslOptions sslOptions(SslBundle bundle) {
		SslOptions.Builder options = SslOptions.builder()
			.keyManager(bundle.getManagers().getKeyManagerFactory())
			.trustManager(bundle.getManagers().getTrustManagerFactory());
		PropertyMapper present = PropertyMapper.get();
		present.from(bundle.getOptions()::getCiphers).to(options::cipherSuites);
		present.from(bundle.getOptions()::getEnabledProtocols).to(options::protocols);
		return options.build();
	}

	/**
	 * Calls Spring Boot's customizers of the Lettuce client, whose types may be missing
	 * on the classpath.
	 */
	interface Tuning {

		void apply(ClientOptions.Builder options, LettuceClientConfigurationBuilder client);

	}

}
