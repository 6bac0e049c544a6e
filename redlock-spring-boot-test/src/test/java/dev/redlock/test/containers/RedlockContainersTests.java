package dev.redlock.test.containers;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.utility.DockerImageName;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@NeedsDocker
@Testcontainers
class RedlockContainersTests {

	@Container
	private static final RedlockContainers redis = new RedlockContainers(3);

	@BeforeEach
	void heal() {
		redis.heal();
	}

	@Test
	void eachNodeIsAServerOfItsOwn() {
		assertThat(redis.asList()).extracting(ContainerNode::name).containsExactly("a", "b", "c");
		assertThat(redis.asList()).extracting(ContainerNode::port).doesNotHaveDuplicates();
		assertThat(redis.get("a").command("SET", "k", "of a")).isEqualTo("OK");
		assertThat(redis.get(1).command("GET", "k")).isEmpty();
	}

	@Test
	void aKilledNodeIsRestartedEmptyAtTheSamePort() {
		ContainerNode node = redis.get("b");
		int port = node.port();
		node.command("SET", "k", "v");
		node.kill();
		assertThat(node.isRunning()).isFalse();
		assertThat(redis.get("a").isRunning()).isTrue();
		assertThatIllegalStateException().isThrownBy(() -> node.command("PING"))
			.withMessageContaining("restartEmpty()");
		node.restartEmpty();
		assertThat(node.port()).isEqualTo(port);
		assertThat(node.command("EXISTS", "k")).isEqualTo("0");
	}

	@Test
	void aFrozenNodeKeepsItsDataAndGoesOnWhenThawed() {
		ContainerNode node = redis.get("c");
		node.command("SET", "k", "v");
		node.freeze();
		node.freeze();
		assertThat(node.isRunning()).isTrue();
		assertThatIllegalStateException().isThrownBy(() -> node.command("PING")).withMessageContaining("thaw()");
		node.thaw();
		node.thaw();
		assertThat(node.command("GET", "k")).isEqualTo("v");
	}

	@Test
	void anErrorOfTheServerIsTold() {
		assertThatIllegalStateException().isThrownBy(() -> redis.get("a").command("NONSENSE"))
			.withMessageContaining("refused NONSENSE");
	}

	@Test
	void imageAndContainersCanBeChosenAndNothingIsLeftBehind() {
		AtomicInteger changed = new AtomicInteger();
		List<ContainerNode> nodes;
		try (RedlockContainers own = new RedlockContainers(2, DockerImageName.parse(RedlockContainers.DEFAULT_IMAGE))) {
			own.withEachNode((container) -> {
				container.withLabel("of", "this test");
				changed.incrementAndGet();
			}).start();
			own.start();
			nodes = own.asList();
			assertThat(own.isRunning()).isTrue();
			assertThat(nodes).allMatch(ContainerNode::isRunning);
			nodes.get(0).freeze();
		}
		assertThat(changed).hasValue(2);
		assertThat(nodes).noneMatch(ContainerNode::isRunning);
		assertThat(nodes).extracting(ContainerNode::container)
			.extracting(GenericContainer::getContainerId)
			.containsOnlyNulls();
	}

}
