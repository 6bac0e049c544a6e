package dev.redlock.test.containers;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.redlock.spring.autoconfigure.RedlockConnectionDetails;

import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;

/**
 * Connects the application's locks to {@link RedlockContainers} with
 * {@code @ServiceConnection}.
 */
class RedlockContainersConnectionDetailsFactory
		extends ContainerConnectionDetailsFactory<RedlockContainers, RedlockConnectionDetails> {

	@Override
	protected RedlockConnectionDetails getContainerConnectionDetails(
			ContainerConnectionSource<RedlockContainers> source) {
		return new RedlockContainersConnectionDetails(source);
	}

	private static final class RedlockContainersConnectionDetails extends ContainerConnectionDetails<RedlockContainers>
			implements RedlockConnectionDetails {

		private RedlockContainersConnectionDetails(ContainerConnectionSource<RedlockContainers> source) {
			super(source);
		}

		@Override
		public Map<String, Node> getNodes() {
			Map<String, Node> nodes = new LinkedHashMap<>();
			for (ContainerNode node : getContainer().asList()) {
				nodes.put(node.name(), new Node(node.host(), node.port(), null, null));
			}
			return nodes;
		}

		@Override
		public boolean isThrowAway() {
			return true;
		}

	}

}
