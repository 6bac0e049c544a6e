package dev.redlock.spring.data;

import dev.redlock.spring.interceptor.InvalidRedLockException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Transient;
import org.springframework.data.annotation.Version;
import org.springframework.data.relational.core.conversion.MappingRelationalConverter;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.relational.core.sql.IdentifierProcessing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class FencedAggregateTests {

	private final RelationalMappingContext context = new RelationalMappingContext();

	private final FencedAggregates aggregates = new FencedAggregates((type) -> new FencedAggregate(type,
			new MappingRelationalConverter(this.context), IdentifierProcessing.ANSI));

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			NoVersion   | has @Fenced, but no property with @Version
			NoId        | has @Fenced, but no property with @Id that is stored in one column
			CompositeId | has @Fenced, but no property with @Id that is stored in one column
			NoLong      | has @Fenced on a property that is not a Long
			TwoFences   | has @Fenced on several properties
			NotStored   | has @Fenced on a property that is not stored
			OtherName   | Name the lock by the id, as in order:#{number}
			Whole       | has @Fenced, but is not a root: it is a part of the aggregate
			""")
	void aMistakeEndsTheStart(String type, String message) throws ClassNotFoundException {
		this.context.getRequiredPersistentEntity(Class.forName(getClass().getName() + "$" + type));
		assertThatExceptionOfType(InvalidRedLockException.class)
			.isThrownBy(() -> this.aggregates.check(new MappingRelationalConverter(this.context)))
			.withMessageContaining(message);
	}

	@Test
	void namesAreQuotedAsSpringDataDoes() {
		FencedAggregate good = this.aggregates.find(Good.class);
		assertThat(good.claimSql()).isEqualTo("UPDATE \"select\" SET \"LAST_FENCE\" = :fence WHERE \"NUMBER\" = :id AND"
				+ " \"VERSION\" = :version AND (\"LAST_FENCE\" IS NULL OR \"LAST_FENCE\" <= :fence)");
		assertThat(good.readLatestSql())
			.isEqualTo("SELECT \"LAST_FENCE\", \"VERSION\" FROM \"select\" WHERE \"NUMBER\" = :id FOR UPDATE");
	}

	@Test
	void aRowWithoutAVersionIsRefusedWithWhatToDo() {
		Old row = new Old();
		row.id = 7;
		assertThatIllegalStateException().isThrownBy(() -> this.aggregates.find(Old.class).version(row))
			.withMessage("The row '7' of " + Old.class.getName()
					+ " has no version, so its fence cannot be checked. Set the version column to 0 where it is "
					+ "null.");
	}

	@Test
	void aSubclassHasTheFenceOfItsSuperclassAndOtherTypesHaveNone() {
		assertThat(this.aggregates.find(Special.class)).isNotNull();
		assertThat(this.aggregates.find(String.class)).isNull();
	}

	@Table("select")
	static class Good {

		@Id
		long number;

		@Version
		int version;

		@Fenced(resource = "order:#{number}")
		Long lastFence;

	}

	static class Special extends Good {

	}

	static class NoVersion {

		@Id
		long id;

		@Fenced(resource = "order:#{id}")
		Long fence;

	}

	static class NoId {

		@Version
		int version;

		@Fenced(resource = "order:#{id}")
		Long fence;

	}

	static class CompositeId {

		@Id
		@Embedded.Nullable
		Key id;

		@Version
		int version;

		@Fenced(resource = "order:#{id}")
		Long fence;

		record Key(int first, int second) {

		}

	}

	static class Row {

		@Id
		long id;

		@Version
		int version;

	}

	static class NoLong extends Row {

		@Fenced(resource = "order:#{id}")
		int fence;

	}

	static class TwoFences extends Row {

		@Fenced(resource = "order:#{id}")
		Long fence;

		@Fenced(resource = "order:#{id}")
		Long other;

	}

	static class NotStored extends Row {

		@Transient
		@Fenced(resource = "order:#{id}")
		Long fence;

	}

	static class Old {

		@Id
		long id;

		@Version
		Integer version;

		@Fenced(resource = "order:#{id}")
		Long fence;

	}

	static class OtherName {

		@Id
		long number;

		@Version
		int version;

		@Fenced(resource = "order:#{customer}:#{number}")
		Long fence;

	}

	static class Whole {

		@Id
		long id;

		Good part;

	}

}
