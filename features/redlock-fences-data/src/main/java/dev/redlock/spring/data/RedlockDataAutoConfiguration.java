package dev.redlock.spring.data;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.jdbc.core.convert.JdbcConverter;
import org.springframework.data.jdbc.core.dialect.JdbcDialect;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;

/**
 * Auto-configuration of {@link Fenced} for Spring Data JDBC and R2DBC. The fences are
 * checked even if {@code redlock.enabled} is false, because an aggregate with
 * {@link Fenced} must never be saved without a check.
 */
@AutoConfiguration
public final class RedlockDataAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(JdbcConverter.class)
	static class Jdbc {

		@Bean
		JdbcFencedAggregates jdbcFencedAggregates(ObjectProvider<NamedParameterJdbcOperations> operations,
				ObjectProvider<JdbcConverter> converters, ObjectProvider<JdbcDialect> dialects) {
			return new JdbcFencedAggregates(operations, converters, dialects);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(R2dbcEntityTemplate.class)
	static class R2dbc {

		@Bean
		R2dbcFencedAggregates r2dbcFencedAggregates(ObjectProvider<R2dbcEntityTemplate> templates) {
			return new R2dbcFencedAggregates(templates);
		}

	}

}
