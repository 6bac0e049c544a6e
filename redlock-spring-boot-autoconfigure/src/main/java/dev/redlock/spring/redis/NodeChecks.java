package dev.redlock.spring.redis;

import java.util.List;

import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spring.redis.RestartGuard.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * All that is looked at when the servers of a node have been checked, in its order. The
 * first check that does not let the node vote decides; some only warn.
 */
final class NodeChecks {

	private final String node;

	private final ServerRegistry registry;

	private final List<NodeCheck> checks;

	private @Nullable MissingRights missing;

	NodeChecks(String node, NodeSettings settings, ServerRegistry registry, RestartGuard guard) {
		this.node = node;
		this.registry = registry;
		FailoverWarning failovers = new FailoverWarning(node, settings);
		this.checks = List.of((report) -> {
			failovers.look(report.facts());
			return Verdict.READY;
		}, this::warnOfMissingRights, this::oneNodeForEachServer,
				(report) -> guard.judge(report.facts(), report.history()));
	}

	Verdict judge(ServerReport report) {
		for (NodeCheck check : this.checks) {
			Verdict verdict = check.judge(report);
			if (verdict.state() != State.READY) {
				return verdict;
			}
		}
		return Verdict.READY;
	}

	private Verdict warnOfMissingRights(ServerReport report) {
		report.missing().warn(this.node, this.missing);
		this.missing = report.missing();
		return Verdict.READY;
	}

	private Verdict oneNodeForEachServer(ServerReport report) {
		String other = this.registry.claim(this.node, ServerRegistry.runIds(report.facts()));
		return (other != null) ? Verdict.unfit(ServerRegistry.message(this.node, other)) : Verdict.READY;
	}

	@FunctionalInterface
	private interface NodeCheck {

		Verdict judge(ServerReport report);

	}

}
