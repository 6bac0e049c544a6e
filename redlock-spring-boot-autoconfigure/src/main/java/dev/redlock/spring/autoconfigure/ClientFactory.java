package dev.redlock.spring.autoconfigure;

import java.time.Duration;
import java.util.List;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.resource.ClientResources;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Creates the connection factory of an instance.
 */
final class ClientFactory {

	private final ObjectProvider<SslBundles> sslBundles;

	private final ObjectProvider<Tuning> tunings;

	private final ObjectProvider<RedlockClientCustomizer> customizers;

	ClientFactory(ObjectProvider<SslBundles> sslBundles, ObjectProvider<Tuning> tunings,
			ObjectProvider<RedlockClientCustomizer> customizers) {
		this.sslBundles = sslBundles;
		this.tunings = tunings;
		this.customizers = customizers;
	}

	LettuceConnectionFactory create(String name, RedlockInstance instance, Duration connectTimeout,
			ClientResources resources) {
		RedisConfiguration server = ServerConfiguration.of(name, instance);
		LettuceClientConfigurationBuilder client = LettuceClientConfiguration.builder()
			.clientResources(resources)
			.commandTimeout(connectTimeout);
		if (instance.clientName() != null) {
			client.clientName(instance.clientName());
		}
		if (isEncrypted(name, instance)) {
			client.useSsl();
		}
		ClientOptions.Builder options = (server instanceof RedisClusterConfiguration) ? ClusterClientOptions.builder()
				: ClientOptions.builder();
		String bundle = instance.ssl().bundle();
		if (bundle != null) {
			options.sslOptions(sslOptions(bundle("redlock.instances." + name, bundle)));
		}
		List<Tuning> all = this.tunings.orderedStream().toList();
		all.forEach((tuning) -> tuning.options(options));
		client.clientOptions(options.build());
		all.forEach((tuning) -> tuning.configuration(client));
		this.customizers.orderedStream().forEach((customizer) -> customizer.customize(name, client));
		return new LettuceConnectionFactory(server, client.build());
	}

	/**
	 * Fails if the instances share a bundle that does not exist.
	 */
	void checkBundle(RedlockProperties.Defaults defaults) {
		String bundle = defaults.ssl().bundle();
		if (bundle != null) {
			bundle("redlock.defaults", bundle);
		}
	}

	private static boolean isEncrypted(String name, RedlockInstance instance) {
		return instance.ssl().isOn()
				|| (instance.url() != null && ServerConfiguration.uri(name, instance.url()).isSsl());
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

	private SslBundle bundle(String group, String bundleName) {
		try {
			return this.sslBundles.getObject().getBundle(bundleName);
		}
		catch (NoSuchSslBundleException ex) {
			throw new InvalidRedlockConfigurationException(group + ".ssl.bundle",
					"there is no SSL bundle named '" + bundleName + "'.",
					"Define it under spring.ssl.bundle.jks or spring.ssl.bundle.pem, or correct the name.", ex);
		}
	}

	/**
	 * Applies Spring Boot's customizers, whose types may be absent.
	 */
	interface Tuning {

		void options(ClientOptions.Builder builder);

		void configuration(LettuceClientConfigurationBuilder builder);

	}

}
