package dev.redlock.test.autoconfigure;

import java.util.Set;
import java.util.stream.Stream;

import dev.redlock.lettuce.LockNodes;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import dev.redlock.spring.template.RedLockOperations;
import dev.redlock.spring.template.RedLockTemplate;
import dev.redlock.test.autoconfigure.RedlockTestProperties.Mode;
import dev.redlock.test.scripted.ScriptedNodes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/**
 * Sets up locks without Redis for tests that set {@code redlock.test.mode}.
 */
@AutoConfiguration(beforeName = "dev.redlock.spring.autoconfigure.RedlockAutoConfiguration")
@ConditionalOnProperty("redlock.test.mode")
@ConditionalOnBooleanProperty(name = "redlock.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RedlockTestProperties.class)
public final class RedlockTestAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(RedlockTestAutoConfiguration.class);

	@Bean
	@ConditionalOnMissingBean
	ScriptedNodes redlockScriptedNodes(RedlockTestProperties properties) {
		boolean always = properties.mode() == Mode.ALWAYS;
		logger.warn(always ? "redlock.test.mode=always: every lock is taken at once and excludes no other work"
				: "redlock.test.mode=scripted: locks are in memory and exclude no other process");
		return ScriptedNodes.inRealTime(always ? 1 : properties.nodes());
	}

	@Bean
	LockNodes redlockNodes(ScriptedNodes nodes) {
		return LockNodes.of(nodes.asList());
	}

	/**
	 * Takes every lock of the templates at once.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = "redlock.test.mode", havingValue = "always")
	static class AlwaysConfiguration {

		private static final Set<String> OURS = Set.of("redlockTemplateWithoutLocks",
				"redlockReactiveTemplateWithoutLocks");

		/**
		 * Lets ours take the place of primary templates of the application.
		 */
		@Bean
		static BeanFactoryPostProcessor redlockOnlyPrimaryTemplates() {
			return (beans) -> Stream.of(RedLockOperations.class, ReactiveRedLockTemplate.class)
				.flatMap((type) -> Stream.of(beans.getBeanNamesForType(type, true, false)))
				.filter((name) -> beans.containsBeanDefinition(name) && !OURS.contains(name))
				.forEach((name) -> beans.getBeanDefinition(name).setPrimary(false));
		}

		@Bean
		@Primary
		RedLockTemplate redlockTemplateWithoutLocks() {
			return RedLockTemplate.withoutLocks();
		}

		@Bean
		@Primary
		ReactiveRedLockTemplate redlockReactiveTemplateWithoutLocks() {
			return ReactiveRedLockTemplate.withoutLocks();
		}

	}

}
