package dev.redlock.spring.autoconfigure;

import java.util.List;

import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.RedlockListener;
import dev.redlock.lettuce.LockNodes;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.memory.ManualTime;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

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

}
