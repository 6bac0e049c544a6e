package dev.redlock.spring.autoconfigure;

import io.lettuce.core.ClientOptions;

import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;

/**
 * What is applied to every client. Stands between us and Spring Boot's customizers, whose
 * types may be absent.
 */
interface ClientTuning {

	void options(ClientOptions.Builder builder);

	void configuration(LettuceClientConfigurationBuilder builder);

}
