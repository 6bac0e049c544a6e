package dev.redlock.spring.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.RedlockListener;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.memory.ManualTime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with a context below another, both auto-configured.
 */
class ParentContextTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RedlockAutoConfiguration.class,
				RedlockAnnotationAutoConfiguration.class, RedlockReactiveAutoConfiguration.class));

	private final ApplicationContextRunner parent = this.runner.withBean(LockNodes.class,
			() -> LockNodes.of(List.of(new InMemoryNode("a", new ManualTime()))));

	@Test
	void annotationsOfAChildContextLockToo() {
		this.parent.run((above) -> this.runner.withParent(above).withBean(Shop.class).run((child) -> {
			assertThat(child.getBean(Redlock.class)).isSameAs(above.getBean(Redlock.class));
			assertThat(child.getBean(Shop.class).sell("42")).isEqualTo("sold 42");
		}));
	}

	@Test
	void aChildContextThatIsClosedLeavesTheLockOfItsParentAlone() {
		this.parent.run((above) -> {
			this.runner.withParent(above).run((child) -> assertThat(child).hasNotFailed());
			assertThat(above.getBean(Redlock.class).attemptAndWait(LockRequest.of("later")).lease()).isPresent();
		});
	}

	@Test
	void eventsReachChildContextsOnceAndTheirParentOnce() {
		Losses ofParent = new Losses();
		this.parent.withBean("losses", Losses.class, () -> ofParent).run((above) -> {
			Losses ofConfigured = new Losses();
			Losses ofPlain = new Losses();
			Redlock lock = above.getBean(Redlock.class);
			this.runner.withParent(above).withBean("below", Losses.class, () -> ofConfigured).run((child) -> {
				new ApplicationContextRunner().withParent(child)
					.withBean("plain", Losses.class, () -> ofPlain)
					.run((plain) -> {
						lock.attemptAndWait(LockRequest.of("lost")).orThrow();
						lock.revoke("lost").orElseThrow().toCompletableFuture().join();
						Awaitility.await().atMost(Duration.ofSeconds(15)).until(() -> !ofPlain.lost.isEmpty());
					});
			});
			lock.attemptAndWait(LockRequest.of("later")).orThrow();
			lock.revoke("later").orElseThrow().toCompletableFuture().join();
			Awaitility.await().atMost(Duration.ofSeconds(15)).until(() -> ofParent.lost.size() > 1);
			assertThat(ofParent.lost).containsExactly("[lost]", "[later]");
			assertThat(ofConfigured.lost).containsExactly("[lost]");
			assertThat(ofPlain.lost).containsExactly("[lost]");
		});
	}

	@Test
	void aBeanOfTheApplicationMayBeNamedRedlock() {
		this.parent.withBean("redlock", String.class, () -> "of the application").run((context) -> {
			assertThat(context).hasNotFailed().hasSingleBean(Redlock.class);
			assertThat(context.getBean("redlock")).isEqualTo("of the application");
		});
	}

	@Test
	void aListenerOfAChildContextHearsTheLockOfItsParentUntilTheChildIsClosed() {
		HeardRequests heard = new HeardRequests();
		this.parent.run((above) -> {
			Redlock lock = above.getBean(Redlock.class);
			this.runner.withParent(above)
				.withBean(RedlockListener.class, () -> heard)
				.run((child) -> lock.attemptAndWait(LockRequest.of("during")));
			lock.attemptAndWait(LockRequest.of("after"));
		});
		assertThat(heard.names).containsExactly("during");
	}

	static class Losses {

		private final List<String> lost = new CopyOnWriteArrayList<>();

		@EventListener
		void on(RedlockLossEvent event) {
			this.lost.add(event.lease().resources().toString());
		}

	}

}
