package dev.redlock.spring.data;

import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.data.jdbc.core.convert.JdbcConverter;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;

import static org.assertj.core.api.Assertions.assertThat;

class RedlockDataAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RedlockDataAutoConfiguration.class));

	@Test
	void aggregatesAreFencedEvenIfNothingElseIsConfigured() {
		this.runner.withPropertyValues("redlock.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(JdbcFencedAggregates.class)
				.hasSingleBean(R2dbcFencedAggregates.class));
	}

	@Test
	void eachWorksWithoutTheOther() {
		this.runner.withClassLoader(new FilteredClassLoader(R2dbcEntityTemplate.class))
			.run((context) -> assertThat(context).hasSingleBean(JdbcFencedAggregates.class)
				.doesNotHaveBean(R2dbcFencedAggregates.class));
		this.runner.withClassLoader(new FilteredClassLoader(JdbcConverter.class))
			.run((context) -> assertThat(context).hasSingleBean(R2dbcFencedAggregates.class)
				.doesNotHaveBean(JdbcFencedAggregates.class));
	}

	@Test
	void anApplicationWithoutSpringBootImportsIt() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(
				RedlockDataAutoConfiguration.class)) {
			assertThat(context.getBeansOfType(JdbcFencedAggregates.class)).hasSize(1);
			assertThat(context.getBeansOfType(R2dbcFencedAggregates.class)).hasSize(1);
		}
	}

	@Test
	void aChildContextWithRepositoriesHasFencesOfItsOwn() {
		this.runner.run((parent) -> this.runner.withParent(parent).run((child) -> {
			assertThat(child.getBean(JdbcFencedAggregates.class))
				.isNotSameAs(parent.getBean(JdbcFencedAggregates.class));
			assertThat(child.getBean(R2dbcFencedAggregates.class))
				.isNotSameAs(parent.getBean(R2dbcFencedAggregates.class));
			assertThat(child.getBeanProvider(JdbcFencedAggregates.class).stream()).hasSize(1);
		}));
	}

}
