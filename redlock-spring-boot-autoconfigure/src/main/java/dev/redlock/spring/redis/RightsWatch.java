package dev.redlock.spring.redis;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says, once per change, what a node that votes does without since its user may not do
 * it.
 */
final class RightsWatch {

	private static final Logger log = LoggerFactory.getLogger(RightsWatch.class);

	private final String node;

	private final AtomicReference<List<String>> known = new AtomicReference<>(List.of());

	RightsWatch(String node) {
		this.node = node;
	}

	void look(MissingRights missing) {
		List<String> warnings = missing.warnings();
		if (!this.known.getAndSet(warnings).equals(warnings)) {
			warnings.forEach((warning) -> log.warn("Redlock node '{}': {}", this.node, warning));
		}
	}

}
