package dev.redlock.spring.autoconfigure.compose;

import java.util.Map;

import dev.redlock.spring.autoconfigure.RedlockConnectionDetails;

import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.util.StringUtils;

/**
 * Turns a Docker Compose service with the label {@code dev.redlock.node} into a Redis
 * node. The label's value is the name of the node; by default, the node has the service's
 * name.
 */
class ComposeConnectionDetailsFactory extends DockerComposeConnectionDetailsFactory<RedlockConnectionDetails> {

	private static final String NODE = "dev.redlock.node";

	private static final String USERNAME = "dev.redlock.username";

	private static final String PASSWORD = "dev.redlock.password";

	private static final int REDIS_PORT = 6379;

	ComposeConnectionDetailsFactory() {
		super((source) -> source.getRunningService().labels().containsKey(NODE));
	}

	@Override
	protected RedlockConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
		return new ComposeConnectionDetails(source.getRunningService());
	}

	private static final class ComposeConnectionDetails extends DockerComposeConnectionDetails
			implements RedlockConnectionDetails {

		private final String name;

		private final Node node;

		private ComposeConnectionDetails(RunningService service) {
			super(service);
			Map<String, String> labels = service.labels();
			String label = labels.get(NODE);
			this.name = StringUtils.hasText(label) ? label.strip() : service.name();
			this.node = new Node(service.host(), service.ports().get(REDIS_PORT), labels.get(USERNAME),
					labels.get(PASSWORD));
		}

		@Override
		public Map<String, Node> getNodes() {
			return Map.of(this.name, this.node);
		}

		@Override
		public boolean isThrowAway() {
			return true;
		}

	}

}
