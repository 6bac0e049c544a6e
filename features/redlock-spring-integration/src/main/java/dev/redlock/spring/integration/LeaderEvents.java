package dev.redlock.spring.integration;

import dev.redlock.spring.leader.LeaderGrantedEvent;
import dev.redlock.spring.leader.LeaderRevokedEvent;
import dev.redlock.spring.leader.LeaderRole;
import dev.redlock.spring.leader.LeaderTemplate;

import org.springframework.context.event.EventListener;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.event.LeaderEventPublisher;

/**
 * Republishes the leader events of redlock-leader as leader events of Spring Integration,
 * so that endpoints with the leader's role start and stop.
 */
final class LeaderEvents {

	private final LeaderTemplate leaders;

	private final LeaderEventPublisher events;

	LeaderEvents(LeaderTemplate leaders, LeaderEventPublisher events) {
		this.leaders = leaders;
		this.events = events;
	}

	@EventListener
	void granted(LeaderGrantedEvent event) {
		LeaderRole role = this.leaders.role(event.role());
		this.events.publishOnGranted(role, new RoleContext(role), event.role());
	}

	@EventListener
	void revoked(LeaderRevokedEvent event) {
		LeaderRole role = this.leaders.role(event.role());
		this.events.publishOnRevoked(role, new RoleContext(role), event.role());
	}

	private record RoleContext(LeaderRole role) implements Context {

		@Override
		public boolean isLeader() {
			return this.role.isLeader();
		}

		@Override
		public void yield() {
			this.role.yield();
		}

		@Override
		public String getRole() {
			return this.role.name();
		}

	}

}
