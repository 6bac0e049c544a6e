package dev.redlock.spring.integration;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.redlock.RealTime;
import dev.redlock.Redlock;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spring.leader.LeaderTemplate;
import dev.redlock.spring.leader.RedlockLeaderAutoConfiguration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;
import org.springframework.integration.leader.event.AbstractLeaderEvent;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.leader.event.OnRevokedEvent;

import static org.assertj.core.api.Assertions.assertThat;

class RedlockLeaderEventsAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(RedlockLeaderEventsAutoConfiguration.class, RedlockLeaderAutoConfiguration.class));

	@Test
	void theBeginningAndTheEndOfATermAreEventsOfSpringIntegrationToo() {
		try (RealTime time = new RealTime()) {
			this.runner.withBean(Redlock.class, () -> time.redlock(List.of(new InMemoryNode("a", time))))
				.withBean(Events.class)
				.run((context) -> {
					List<AbstractLeaderEvent> heard = context.getBean(Events.class).heard;
					context.getBean(LeaderTemplate.class).join("importer");
					Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> heard.size() == 1);
					assertThat(heard.get(0)).isInstanceOf(OnGrantedEvent.class);
					assertThat(heard.get(0).getRole()).isEqualTo("importer");
					assertThat(heard.get(0).getContext().isLeader()).isTrue();
					heard.get(0).getContext().yield();
					Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> heard.size() > 1);
					assertThat(heard.get(1)).isInstanceOf(OnRevokedEvent.class);
					assertThat(heard.get(1).getContext().getRole()).isEqualTo("importer");
				});
		}
	}

	@Test
	void withoutLeadersThereIsNothing() {
		this.runner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaderEvents.class));
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RedlockLeaderEventsAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("dev.redlock.spring.leader"))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	static class Events {

		private final List<AbstractLeaderEvent> heard = new CopyOnWriteArrayList<>();

		@EventListener
		void heard(AbstractLeaderEvent event) {
			this.heard.add(event);
		}

	}

}
