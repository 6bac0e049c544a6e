package dev.redlock.spring.web;

import dev.redlock.spring.fencing.StaleFenceException;
import org.junit.jupiter.api.Test;

import org.springframework.http.ProblemDetail;

import static org.assertj.core.api.Assertions.assertThat;

class FenceProblemsTests {

	@Test
	void workOfAFormerHolderIsAConflict() {
		ProblemDetail answer = new FenceProblems().stale(new StaleFenceException("stock 42", 7, 9));
		assertThat(answer.getStatus()).isEqualTo(409);
		assertThat(answer.getProperties()).containsEntry("reason", "STALE_FENCE");
		assertThat(answer.toString()).doesNotContain("stock 42");
	}

}
