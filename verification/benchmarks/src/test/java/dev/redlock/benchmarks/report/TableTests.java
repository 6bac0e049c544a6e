package dev.redlock.benchmarks.report;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class TableTests {

	private final Table table = new Table(List.of("", "locks/s"),
			List.of(List.of("floor", "1,234"), List.of("a|b", "7")));

	@Test
	void markdownKeepsBarsInsideOfTheirCellsAndNamesOfLanesAsCode() {
		assertThat(this.table.markdown()).isEqualTo("""
				|  | locks/s |
				| --- | --- |
				| `floor` | 1,234 |
				| `a\\|b` | 7 |
				""");
	}

	@Test
	void markdownLeavesTheFirstColumnAsItIsWhereItHasAHeading() {
		Table facts = new Table(List.of("machine", ""), List.of(List.of("memory", "24 GiB")));
		assertThat(facts.markdown()).endsWith("| memory | 24 GiB |\n");
	}

	@Test
	void textHasNamesToTheLeftAndNumbersToTheRight() {
		assertThat(this.table.text()).isEqualTo("""
				       locks/s
				floor    1,234
				a|b          7
				""");
	}

	@Test
	void aRowOfAnotherLengthIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Table(List.of("a", "b"), List.of(List.of("1"))))
			.withMessageContaining("1 cells");
	}

}
