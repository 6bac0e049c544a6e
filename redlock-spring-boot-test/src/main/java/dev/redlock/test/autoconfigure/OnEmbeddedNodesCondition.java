package dev.redlock.test.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MutuallyExclusiveConfigurationPropertiesException;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.ClassUtils;

/**
 * By default, matches if no {@code redlock.instances} are configured, and the application
 * is a test or has Spring Boot's developer tools. In production, each process would have
 * its own embedded servers, so locks would exclude no other process.
 */
class OnEmbeddedNodesCondition extends SpringBootCondition {

	private static final Logger logger = LoggerFactory.getLogger(OnEmbeddedNodesCondition.class);

	private static final String ENABLED = "redlock.embedded.enabled";

	private static final String INSTANCES = "redlock.instances";

	/**
	 * The property that {@code RedlockContextCustomizerFactory} sets in the application
	 * context of a test.
	 */
	private static final String TEST_CONTEXT = "dev.redlock.test.context";

	private static final String DEVTOOLS = "org.springframework.boot.devtools.restart.Restarter";

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition("Embedded Redlock nodes");
		Environment environment = context.getEnvironment();
		if (environment.containsProperty("redlock.test.mode")) {
			return ConditionOutcome.noMatch(message.because("redlock.test.mode needs no nodes"));
		}
		String test = environment.getProperty(TEST_CONTEXT);
		if ("embedded".equals(test)) {
			return ConditionOutcome.match(message.because("the test class has @EmbeddedRedlock"));
		}
		Boolean enabled = environment.getProperty(ENABLED, Boolean.class);
		Set<String> configured = Binder.get(environment)
			.bind(INSTANCES, Bindable.mapOf(String.class, String.class))
			.map(Map::keySet)
			.orElse(Set.of());
		boolean instances = !configured.isEmpty();
		if (Boolean.TRUE.equals(enabled) && instances) {
			// Without this exception, the conflict would show only in Spring Boot's
			// report on conditions, which few people read.
			List<String> both = List.of(ENABLED, INSTANCES + "." + configured.iterator().next());
			throw new MutuallyExclusiveConfigurationPropertiesException(both, both);
		}
		if (enabled != null) {
			return new ConditionOutcome(enabled, message.because(ENABLED + " is " + enabled));
		}
		if (instances) {
			if (test != null) {
				logger.info("This test uses the servers of redlock.instances. @EmbeddedRedlock on the test class "
						+ "would start embedded nodes instead.");
			}
			return ConditionOutcome.noMatch(message.because(INSTANCES + " are configured"));
		}
		boolean development = test != null || ClassUtils.isPresent(DEVTOOLS, context.getClassLoader());
		return new ConditionOutcome(development, message.because(ENABLED + " is not set, and the application "
				+ (development ? "is a test or has developer tools" : "is not a test and has no developer tools")));
	}

}
