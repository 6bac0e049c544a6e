package dev.redlock.spring.fencing;

import org.junit.jupiter.api.Test;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.server.ResponseStatusException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

class FenceProblemsTests {

	@Test
	void workOfAFormerHolderIsAConflict() throws Exception {
		ProblemDetail answer = new FenceProblems().stale(new StaleFenceException("stock 42", 7, 9));
		assertThat(answer.getStatus()).isEqualTo(409);
		assertThat(answer.getProperties()).containsEntry("reason", "STALE_FENCE");
		assertThat(answer.toString()).doesNotContain("stock 42");
	}

	@Test
	void aStatusThatTheApplicationGivesToARefusalStays() {
		ResponseStatusException gone = new ResponseStatusException(HttpStatus.GONE, "too late",
				new StaleFenceException("stock 42", 7, 9));
		assertThatException().isThrownBy(() -> new FenceProblems().stale(gone)).isSameAs(gone);
	}

}
