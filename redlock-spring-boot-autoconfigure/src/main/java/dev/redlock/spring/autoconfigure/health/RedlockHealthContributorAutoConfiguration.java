package dev.redlock.spring.autoconfigure.health;

import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.redlock.Redlock;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spring.autoconfigure.RedlockAutoConfiguration;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the health indicator of locks.
 */
@AutoConfiguration(after = RedlockAutoConfiguration.class)
@ConditionalOnClass({ Redlock.class, HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnSingleCandidate(Redlock.class)
@ConditionalOnEnabledHealthIndicator("redlock")
public final class RedlockHealthContributorAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "redlockHealthContributor")
	RedlockHealthIndicator redlockHealthContributor(Redlock redlock, ObjectProvider<LockNodes> nodes) {
		LockNodes used = nodes.getIfUnique();
		return new RedlockHealthIndicator(redlock, Clock.systemUTC(), (used != null) ? () -> warnings(used) : Map::of);
	}

	private static Map<String, String> warnings(LockNodes nodes) {
		Map<String, String> warnings = new LinkedHashMap<>();
		if (nodes.list().stream().anyMatch(InMemoryNode.class::isInstance)) {
			warnings.put("locks", "in the memory of this process only, as with redlock.enabled=false");
		}
		nodes.restartGuardProblem().ifPresent((problem) -> warnings.put("restartGuard", problem));
		nodes.evictionProblem().ifPresent((problem) -> warnings.put("eviction", problem));
		nodes.membershipProblem().ifPresent((problem) -> warnings.put("otherSettings", problem));
		return warnings;
	}

}
