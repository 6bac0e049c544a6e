package dev.redlock;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class QuorumStatusTests {

	@ParameterizedTest
	@CsvSource({ "1,1", "2,2", "3,2", "4,3", "5,3", "6,4", "7,4" })
	void twoMajoritiesShareANode(int nodes, int majority) {
		assertThat(QuorumStatus.majorityOf(nodes)).isEqualTo(majority);
		assertThat(majority * 2).isGreaterThan(nodes);
	}

}
