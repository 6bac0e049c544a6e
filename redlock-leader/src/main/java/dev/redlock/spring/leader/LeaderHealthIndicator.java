package dev.redlock.spring.leader;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Shows which roles this instance leads. Always UP: an instance that does not lead is
 * well, and whether locks are possible is the health of the lock.
 */
final class LeaderHealthIndicator extends AbstractHealthIndicator {

	private final LeaderTemplate leaders;

	LeaderHealthIndicator(LeaderTemplate leaders) {
		super("The roles could not be determined");
		this.leaders = leaders;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		Map<String, Map<String, Object>> roles = new TreeMap<>();
		for (LeaderRole role : this.leaders.roles()) {
			Map<String, Object> details = new LinkedHashMap<>();
			details.put("leader", role.isLeader());
			role.term().ifPresent((term) -> details.put("term", term));
			roles.put(role.name(), details);
		}
		builder.up().withDetail("roles", roles);
	}

}
