package dev.redlock.spring.integration;

import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import dev.redlock.LockAttempt;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.NodeVote;
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

	static boolean isIn(LockAttempt attempt, int voters) {
		if (attempt.reason().filter((reason) -> reason == Reason.HELD).isEmpty()) {
			return false;
		}
		Map<String, Long> byOwner = attempt.votes()
			.stream()
			.map(NodeVote::vote)
			.filter(Refused.class::isInstance)
			.map((vote) -> Objects.requireNonNullElse(((Refused) vote).holder(), ""))
			.collect(Collectors.groupingBy((owner) -> owner, Collectors.counting()));
		return byOwner.values().stream().noneMatch((count) -> count > voters / 2);
	}

}
