package dev.redlock.test.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches where embedded nodes are asked for, or where no other nodes are configured and
 * nobody has declined them.
 */
class OnEmbeddedNodesCondition extends SpringBootCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition("Embedded Redlock nodes");
		Environment environment = context.getEnvironment();
		if (!environment.getProperty("redlock.enabled", Boolean.class, true)) {
			return ConditionOutcome.noMatch(message.because("redlock.enabled is false"));
		}
		if (environment.containsProperty("redlock.test.mode")) {
			return ConditionOutcome.noMatch(message.because("redlock.test.mode needs no nodes"));
		}
		Boolean enabled = environment.getProperty("redlock.embedded.enabled", Boolean.class);
		if (enabled != null) {
			return new ConditionOutcome(enabled, message.because("redlock.embedded.enabled is " + enabled));
		}
		if (Binder.get(environment).bind("redlock.instances", Bindable.mapOf(String.class, Object.class)).isBound()) {
			return ConditionOutcome.noMatch(message.because("redlock.instances are configured"));
		}
		return ConditionOutcome.match(message.because("no redlock.instances are configured"));
	}

}
