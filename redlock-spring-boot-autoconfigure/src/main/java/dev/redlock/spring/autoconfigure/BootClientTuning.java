package dev.redlock.spring.autoconfigure;

import io.lettuce.core.ClientOptions;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientConfigurationBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientOptionsBuilderCustomizer;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;

/**
 * Applies Spring Boot's customizers to our clients too.
 */
final class BootClientTuning implements ClientTuning {

	private final ObjectProvider<LettuceClientOptionsBuilderCustomizer> options;

	private final ObjectProvider<LettuceClientConfigurationBuilderCustomizer> configurations;

	BootClientTuning(ObjectProvider<LettuceClientOptionsBuilderCustomizer> options,
			ObjectProvider<LettuceClientConfigurationBuilderCustomizer> configurations) {
		this.options = options;
		this.configurations = configurations;
	}

	@Override
	public void options(ClientOptions.Builder builder) {
		this.options.orderedStream().forEach((customizer) -> customizer.customize(builder));
	}

	@Override
	public void configuration(LettuceClientConfigurationBuilder builder) {
		this.configurations.orderedStream().forEach((customizer) -> customizer.customize(builder));
	}

}
