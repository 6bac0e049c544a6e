package dev.redlock.spring.autoconfigure.compose;

import java.util.List;
import java.util.Map;

import org.springframework.boot.docker.compose.core.ConnectionPorts;
import org.springframework.boot.docker.compose.core.ImageReference;
import org.springframework.boot.docker.compose.core.RunningService;

/**
 * A Redis server of this machine that says it is a service of Docker Compose.
 */
record StandInService(String name, Map<String, String> labels, int port) implements RunningService {

	@Override
	public ImageReference image() {
		return ImageReference.of("redis:7.4-alpine");
	}

	@Override
	public String host() {
		return "127.0.0.1";
	}

	@Override
	public ConnectionPorts ports() {
		return new ConnectionPorts() {

			@Override
			public int get(int containerPort) {
				return (containerPort == 6379) ? StandInService.this.port : -1;
			}

			@Override
			public List<Integer> getAll() {
				return List.of(StandInService.this.port);
			}

			@Override
			public List<Integer> getAll(String protocol) {
				return getAll();
			}

		};
	}

	@Override
	public Map<String, String> env() {
		return Map.of();
	}

}
