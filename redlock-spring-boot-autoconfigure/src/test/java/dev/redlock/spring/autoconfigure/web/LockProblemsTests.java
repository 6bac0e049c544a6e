package dev.redlock.spring.autoconfigure.web;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.redlock.LockLostException;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockNotAcquiredException.Reason;
import dev.redlock.LossReason;
import dev.redlock.NodeVote;
import dev.redlock.spi.NodeStatus;
import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Vote;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import org.springframework.http.HttpHeaders;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

import static org.assertj.core.api.Assertions.assertThat;

class LockProblemsTests {

	private final LockProblems problems = new LockProblems(Duration.ofMillis(4_200), null);

	@ParameterizedTest
	@EnumSource(names = { "HELD", "TICK_TAKEN", "TICKET_EXPIRED" })
	void whatAnotherHasOrHasEndedIsAConflict(Reason reason) throws Exception {
		ResponseEntity<ProblemDetail> answer = answer(failure(reason));
		assertThat(answer.getStatusCode().value()).isEqualTo(409);
		assertThat(answer.getHeaders().containsHeader(HttpHeaders.RETRY_AFTER)).isFalse();
		assertThat(answer.getBody().getProperties()).containsEntry("reason", reason.name());
	}

	@ParameterizedTest
	@EnumSource(value = Reason.class, mode = Mode.EXCLUDE, names = { "HELD", "TICK_TAKEN", "TICKET_EXPIRED" })
	void whatNobodyCanHaveIsUnavailableAndSaysWhenToComeBack(Reason reason) throws Exception {
		ResponseEntity<ProblemDetail> answer = answer(failure(reason));
		assertThat(answer.getStatusCode().value()).isEqualTo(503);
		assertThat(answer.getHeaders().getFirst(HttpHeaders.RETRY_AFTER)).isEqualTo("5");
	}

	@ParameterizedTest
	@CsvSource({ "0 0 -,0", "59 - -,0", "59 59 -,59", "10 59 58,58", "10 0 x,10", "1 59 58 x -,58", "x x 59,0" })
	void timeToAQuorumIsWhatEnoughNodesNeedAsFarAsTheyTell(String nodes, long seconds) {
		List<NodeStatus> statuses = Stream.of(nodes.split(" ")).map((node) -> switch (node) {
			case "-" -> NodeStatus.of(State.UNAVAILABLE, "down");
			case "x" -> NodeStatus.of(State.UNFIT, "evicts keys");
			case "0" -> NodeStatus.READY;
			default -> new NodeStatus(State.QUARANTINED, "new", Duration.ofSeconds(Long.parseLong(node)));
		}).toList();
		assertThat(LockProblems.timeToQuorum(statuses)).hasSeconds(seconds);
	}

	@Test
	void whatWasLostIsAConflictAndNoInvitationToTryAgain() throws Exception {
		LockLostException loss = new LockLostException(Set.of("stock:42"), LossReason.EXPIRED);
		ResponseEntity<ProblemDetail> answer = this.problems.lost(loss, loss);
		assertThat(answer.getStatusCode().value()).isEqualTo(409);
		assertThat(answer.getHeaders().containsHeader(HttpHeaders.RETRY_AFTER)).isFalse();
		assertThat(answer.getBody().toString()).doesNotContain("stock:42");
	}

	@ParameterizedTest
	@EnumSource(Reason.class)
	void noAnswerSaysWhatTheRequestDidBeforeItAskedForTheLock(Reason reason) throws Exception {
		assertThat(answer(failure(reason)).getBody().getDetail()).doesNotContain("done");
	}

	@ParameterizedTest
	@EnumSource(Reason.class)
	void noAnswerNamesTheLockItsHolderOrANode(Reason reason) throws Exception {
		String body = answer(failure(reason)).getBody().toString();
		assertThat(body).doesNotContain("stock:42", "till@host", "10.0.0.1", "node-a");
	}

	private ResponseEntity<ProblemDetail> answer(LockNotAcquiredException failure) throws Exception {
		return this.problems.notAcquired(failure, failure);
	}

	private static LockNotAcquiredException failure(Reason reason) {
		return new LockNotAcquiredException(Set.of("stock:42"), reason,
				List.of(new NodeVote("node-a", new Vote.Refused(Vote.Refusal.HELD, "till@host", null, 0)),
						new NodeVote("node-b", new Vote.Faulted(Vote.Fault.UNAVAILABLE, "10.0.0.1 refused", false))),
				1, Duration.ZERO);
	}

}
