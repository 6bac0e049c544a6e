package dev.redlock.spring.autoconfigure;

import java.time.Duration;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.resource.ClientResources;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Creates the connection factory of an instance.
 */
final class ClientFactory {

	private final ObjectProvider<Tuning> tuning;

	private final ObjectProvider<RedlockClientCustomizer> customizers;

	ClientFactory(ObjectProvider<Tuning> tuning, ObjectProvider<RedlockClientCustomizer> customizers) {
		this.tuning = tuning;
		this.customizers = customizers;
	}

	LettuceConnectionFactory create(String name, RedlockConnectionDetails.Node node, @Nullable String clientName,
			Duration connectTimeout, ClientResources resources) {
		LettuceClientConfigurationBuilder client = LettuceClientConfiguration.builder()
			.clientResources(resources)
			.commandTimeout(connectTimeout);
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
		this.customizers.orderedStream().forEach((customizer) -> customizer.customize(name, client));
		return new LettuceConnectionFactory(node.server(), client.build());
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
	 * Sets the options of a client, and applies Spring Boot's customizers, whose types
	 * may be absent.
	 */
	interface Tuning {

		void apply(ClientOptions.Builder options, LettuceClientConfigurationBuilder client);

	}

}
