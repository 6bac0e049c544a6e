package dev.redlock.test.lateholder;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Statements that the database of the other tests does not know.
 */
class SqlTests {

	@ParameterizedTest
	@ValueSource(strings = { "delete t", "merge t using u on t.id = u.id when matched then delete",
			"with old as (select id from t where n = 0) delete old",
			"WITH u AS (SELECT 7 AS n) MERGE t USING u ON t.n = u.n WHEN MATCHED THEN DELETE",
			"select id from old table (delete t where n = 0)" })
	void aDeleteWithoutFromAndAMergeWithoutIntoAreWrites(String sql) {
		assertThat(Sql.writes(sql)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "select a.n from a inner merge join b on a.id = b.id",
			"select a.n from a join b on a.id = b.id option (merge join)", "select n from a option(merge union)",
			"select \"delete\", `merge` from a" })
	void aJoinHintOrAQuotedNameIsNoWrite(String sql) {
		assertThat(Sql.writes(sql)).isFalse();
	}

}
