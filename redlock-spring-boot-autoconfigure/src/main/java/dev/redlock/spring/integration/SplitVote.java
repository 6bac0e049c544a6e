package dev.redlock.spring.integration;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import dev.redlock.LockAttempt;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.NodeVote;
import dev.redlock.spi.LockNode;
import dev.redlock.spi.Vote.Refused;

/**
 * Whether several asked for a lock at once and none of them may have got it. The nodes
 * name the owner that stands in their way; where no owner has a majority of them, there
 * may be none. Owners with the same label count as one, so that of many processes on one
 * host this may be missed, never imagined.
 */
final class SplitVote {

	private SplitVote() {
	}

	/**
	 * Looks at what the nodes said. Where this process has the lock itself they were not
	 * asked, and nothing is split.
	 */
	static boolean isIn(LockAttempt attempt, List<? extends LockNode> nodes) {
		if (attempt.reason().filter((reason) -> reason == Reason.HELD).isEmpty()) {
			return false;
		}
		Set<String> names = nodes.stream().map(LockNode::name).collect(Collectors.toSet());
		Map<String, Long> byOwner = attempt.votes()
			.stream()
			.filter((vote) -> names.contains(vote.node()))
			.map(NodeVote::vote)
			.filter(Refused.class::isInstance)
			.map((vote) -> Objects.requireNonNullElse(((Refused) vote).holder(), ""))
			.collect(Collectors.groupingBy((owner) -> owner, Collectors.counting()));
		return !byOwner.isEmpty() && byOwner.values().stream().noneMatch((count) -> count > nodes.size() / 2);
	}

}
