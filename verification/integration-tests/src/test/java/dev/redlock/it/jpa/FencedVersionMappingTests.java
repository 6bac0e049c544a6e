package dev.redlock.it.jpa;

import java.io.Serializable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.EnumSet;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.redlock.spring.jpa.FencedVersion;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.MapsId;
import jakarta.persistence.OneToOne;
import jakarta.persistence.Version;
import org.hibernate.annotations.IdGeneratorType;
import org.hibernate.annotations.Immutable;
import org.hibernate.annotations.OptimisticLock;
import org.hibernate.annotations.SoftDelete;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Which mappings can have a fence, and what is said at the start where one cannot.
 */
class FencedVersionMappingTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			WithoutVersion      | has @FencedVersion, but no attribute with @Version
			AsVersion           | has @FencedVersion and @Version on one attribute
			InEmbedded          | has @FencedVersion, and is an @Embeddable
			WithInteger         | Make fence a Long in one column
			WithImmutable       | has @FencedVersion and @Immutable
			WithExcludedColumn  | has @FencedVersion, and leaves text out of the version
			WithChangingName    | has #{name}, which may change
			WithUnknownName     | has #{nothing}, and there is no attribute nothing
			WithExpression      | use only attributes of the entity, as in order:#{id}
			PerClassRoot,PerClassBelow | do not use InheritanceType.TABLE_PER_CLASS
			""")
	void aMappingThatCannotHaveAFenceIsExplainedAtTheStart(String entities, String message) {
		Class<?>[] types = Stream.of(entities.split(","))
			.map((name) -> ClassUtils.resolveClassName(getClass().getName() + "$" + name, null))
			.toArray(Class<?>[]::new);
		assertThat(analysisOf(startFailure(types))).contains(message);
	}

	@Test
	void aSubclassIsClaimedInTheTableOfTheRoot() throws Exception {
		assertClaimed(new JoinedBelow(), "vehicle:k", JoinedRoot.class, JoinedBelow.class);
	}

	@Test
	void aRowThatIsMarkedAsDeletedKeepsItsFence() throws Exception {
		try (Database database = Database.h2();
				Persistence jpa = new Persistence(database.url(), "create", Softly.class)) {
			jpa.run(3, "soft:k", (em) -> em.persist(new Softly()));
			jpa.run(7, "soft:k", (em) -> em.remove(em.find(Softly.class, "k")));
			assertThat(jpa.<Object>call((em) -> em.createNativeQuery("select fence from Softly").getSingleResult()))
				.isEqualTo(7L);
		}
	}

	@Test
	void aRowFromBeforeItsTableHadVersionsIsRefusedWithWhatToDo() throws Exception {
		try (Database database = Database.h2();
				Persistence jpa = new Persistence(database.url(), "create", CachedOrder.class)) {
			JdbcTemplate jdbc = new JdbcTemplate(jpa.dataSource());
			jdbc.execute("alter table CachedOrder alter column version set null");
			jdbc.update("insert into CachedOrder (id, total) values (7, 0)");
			assertThatException().isThrownBy(() -> jpa.run(7, "order:7", (em) -> em.find(CachedOrder.class, 7)))
				.withMessage("The row '7' of " + CachedOrder.class.getName()
						+ " has no version, so its fence cannot be checked. Set the version column to 0 where it is "
						+ "null.");
		}
	}

	@Test
	void anInsertNeedsTheLockUnlessItsNameHasTheGeneratedId() throws Exception {
		try (Database database = Database.h2();
				Persistence jpa = new Persistence(database.url(), "create", WithConstantName.class)) {
			assertThatException().isThrownBy(() -> jpa.run((em) -> em.persist(new WithConstantName())))
				.withMessageContaining("is fenced by the lock on settings, and the current thread holds no lock");
			jpa.run(7, "settings", (em) -> em.persist(new WithConstantName()));
			assertThat(jpa.<Object>call((em) -> em.createNativeQuery("select fence from Settings").getSingleResult()))
				.isEqualTo(7L);
		}
	}

	@Test
	void aRowWhoseIdMayComeBackIsInsertedUnderTheLockOnlyAndNeverDeleted() throws Exception {
		assertMayComeBack(WithAssignedId::new, "x:k", WithAssignedId.class);
		assertMayComeBack(WithChosenId::new, "x:k", WithChosenId.class);
		assertMayComeBack(WithMapsId::new, "x:k", WithMapsId.class, Whole.class);
		assertMayComeBack(WithEmbeddedId::new, "seat:k", WithEmbeddedId.class);
	}

	@Test
	void aRowWhoseIdIsGeneratedIsInsertedWithoutTheLockAndMayBeDeleted() throws Exception {
		assertIsGenerated(new WithIdentity());
		assertIsGenerated(new WithOwnGenerator());
	}

	@Test
	void aChildIsInsertedWithItsNewParentWithoutTheLockIfTheIdOfTheParentIsGenerated() throws Exception {
		assertThat(fenceOfChild("book:0", new Page(), Page.class, Book.class)).isZero();
		assertThatException().isThrownBy(() -> fenceOfChild("book:0", new Piece(), Piece.class, Kit.class))
			.withMessageContaining("is fenced by the lock on kit:k");
		assertThat(fenceOfChild("kit:k", new Piece(), Piece.class, Kit.class)).isEqualTo(7);
	}

	@Test
	void aRowWithoutAValueForItsNameIsRefusedWithWhatToDo() throws Exception {
		try (Database database = Database.h2();
				Persistence jpa = new Persistence(database.url(), "create", WithNameOnly.class)) {
			assertThatException().isThrownBy(() -> jpa.run(7, "null", (em) -> em.persist(new WithNameOnly())))
				.withMessageContaining("has #{name}, which has no value yet. Set the value before the row is written");
		}
	}

	private static Throwable startFailure(Class<?>... entities) {
		return catchThrowable(() -> {
			try (Database database = Database.h2();
					Persistence jpa = new Persistence(database.url(), "none", entities)) {
				jpa.factory();
			}
		});
	}

	/**
	 * Returns what Spring Boot prints when a start fails.
	 */
	private static String analysisOf(Throwable failure) {
		return SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, FailureHandler.handleMessage((message, ex) -> {
			}))
			.stream()
			.map((analyzer) -> analyzer.analyze(failure))
			.filter(Objects::nonNull)
			.map((analysis) -> analysis.getDescription() + " " + analysis.getAction())
			.collect(Collectors.joining());
	}

	private static void assertMayComeBack(Supplier<Object> entity, String lock, Class<?>... entities) throws Exception {
		try (Database database = Database.h2(); Persistence jpa = new Persistence(database.url(), "create", entities)) {
			if (entities.length > 1) {
				jpa.run((em) -> em.persist(new Whole()));
			}
			assertThatException().isThrownBy(() -> jpa.run((em) -> em.persist(entity.get())))
				.withMessageContaining("is fenced by the lock on " + lock + ", and the current thread holds no lock");
			Object row = entity.get();
			jpa.run(7, lock, (em) -> em.persist(row));
			Object id = jpa.factory().getPersistenceUnitUtil().getIdentifier(row);
			assertThatException().isThrownBy(() -> jpa.run(7, lock, (em) -> em.remove(em.find(entities[0], id))))
				.withMessageContaining("must not be deleted");
		}
	}

	private static void assertIsGenerated(Object entity) throws Exception {
		try (Database database = Database.h2();
				Persistence jpa = new Persistence(database.url(), "create", entity.getClass())) {
			jpa.run((em) -> em.persist(entity));
			Object id = jpa.factory().getPersistenceUnitUtil().getIdentifier(entity);
			jpa.run(7, "x:" + id, (em) -> em.remove(em.find(entity.getClass(), id)));
			assertThat(jpa.<Object>call((em) -> em.find(entity.getClass(), id))).isNull();
		}
	}

	private static Long fenceOfChild(String lock, Object child, Class<?>... entities) throws Exception {
		try (Database database = Database.h2(); Persistence jpa = new Persistence(database.url(), "create", entities)) {
			jpa.run(7, lock, (em) -> em.persist(child));
			return jpa
				.call((em) -> em.createQuery("select e.fence from " + entities[0].getSimpleName() + " e", Long.class)
					.getSingleResult());
		}
	}

	private static void assertClaimed(Object entity, String lock, Class<?>... entities) throws Exception {
		try (Database database = Database.h2(); Persistence jpa = new Persistence(database.url(), "create", entities)) {
			jpa.run(3, lock, (em) -> em.persist(entity));
			Object id = jpa.factory().getPersistenceUnitUtil().getIdentifier(entity);
			jpa.run(7, lock, (em) -> em.find(entities[0], id));
			assertThat(jpa.<Long>call(
					(em) -> em.createQuery("select e.fence from " + entities[0].getSimpleName() + " e", Long.class)
						.getSingleResult()))
				.isEqualTo(7);
			assertThatException().isThrownBy(() -> jpa.run(6, lock, (em) -> em.find(entities[0], id)));
		}
	}

	@Entity
	static class WithoutVersion {

		@Id
		Long id;

		@FencedVersion(resource = "x:#{id}")
		Long fence;

	}

	@Entity
	static class AsVersion {

		@Id
		Long id;

		@Version
		@FencedVersion(resource = "x:#{id}")
		Long version;

	}

	@Entity
	static class InEmbedded extends Versioned {

		@Id
		Long id;

		@Embedded
		Part part;

	}

	@Embeddable
	static class Part {

		int size;

		@FencedVersion(resource = "x:#{id}")
		Long fence;

	}

	@Entity
	static class WithInteger extends Versioned {

		@Id
		Long id;

		@FencedVersion(resource = "x:#{id}")
		Integer fence;

	}

	@Entity
	@Immutable
	static class WithImmutable extends NamedById {

		@Id
		Long id;

	}

	@Entity
	static class WithExcludedColumn extends NamedById {

		@Id
		Long id;

		@OptimisticLock(excluded = true)
		String text;

	}

	@Entity
	static class WithChangingName extends Versioned {

		@Id
		Long id;

		String name;

		@FencedVersion(resource = "x:#{name}")
		Long fence;

	}

	@Entity
	static class WithUnknownName extends Versioned {

		@Id
		Long id;

		@FencedVersion(resource = "x:#{nothing}")
		Long fence;

	}

	@Entity
	static class WithExpression extends Versioned {

		@Id
		Long id;

		@FencedVersion(resource = "x:#{#id}")
		Long fence;

	}

	@Entity(name = "JoinedRoot")
	@Inheritance(strategy = InheritanceType.JOINED)
	static class JoinedRoot extends Versioned {

		@Id
		String id = "k";

		@FencedVersion(resource = "vehicle:#{id}")
		Long fence;

	}

	@Entity
	static class JoinedBelow extends JoinedRoot {

		int doors;

	}

	@Entity(name = "PerClassRoot")
	@Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
	abstract static class PerClassRoot extends Versioned {

		@Id
		String id = "k";

		@FencedVersion(resource = "vehicle:#{id}")
		Long fence;

	}

	@Entity
	static class PerClassBelow extends PerClassRoot {

		int doors;

	}

	@Entity(name = "WithEmbeddedId")
	static class WithEmbeddedId extends Versioned {

		@EmbeddedId
		Seat seat = new Seat(7, "A");

		@Column(updatable = false)
		String code = "k";

		@FencedVersion(resource = "seat:#{code}")
		Long fence;

	}

	@Embeddable
	record Seat(int line, String letter) implements Serializable {

	}

	@Entity(name = "Softly")
	@SoftDelete
	static class Softly extends Versioned {

		@Id
		String id = "k";

		@FencedVersion(resource = "soft:#{id}")
		Long fence;

	}

	@Entity(name = "Settings")
	static class WithConstantName extends Versioned {

		@Id
		@GeneratedValue
		Long id;

		@FencedVersion(resource = "settings")
		Long fence;

	}

	@Entity(name = "Named")
	static class WithNameOnly extends Versioned {

		@Id
		int id;

		@Column(updatable = false)
		String name;

		String text;

		@FencedVersion(resource = "#{name}")
		Long fence;

	}

	@MappedSuperclass
	abstract static class Versioned {

		@Version
		long version;

	}

	@MappedSuperclass
	abstract static class NamedById extends Versioned {

		@FencedVersion(resource = "x:#{id}")
		Long fence;

	}

	@Entity
	static class WithAssignedId extends NamedById {

		@Id
		String id = "k";

	}

	@Entity
	static class WithChosenId extends NamedById {

		@Id
		@Choosable
		String id = "k";

	}

	@Entity
	static class Whole {

		@Id
		String id = "k";

	}

	@Entity
	static class WithMapsId extends NamedById {

		@Id
		String id;

		@MapsId
		@OneToOne
		@JoinColumn(name = "id")
		Whole whole = new Whole();

	}

	@Entity
	static class WithIdentity extends NamedById {

		@Id
		@GeneratedValue(strategy = GenerationType.IDENTITY)
		Long id;

	}

	@Entity
	static class WithOwnGenerator extends NamedById {

		@Id
		@Own
		String id;

	}

	@Entity(name = "Book")
	static class Book extends Versioned {

		@Id
		@GeneratedValue
		Long id;

		@FencedVersion(resource = "book:#{id}")
		Long fence;

	}

	@Entity(name = "Page")
	static class Page extends Versioned {

		@Id
		@GeneratedValue
		Long id;

		@ManyToOne(cascade = CascadeType.PERSIST)
		@JoinColumn(updatable = false)
		Book book = new Book();

		@FencedVersion(resource = "book:#{book.id}")
		Long fence;

	}

	@Entity(name = "Kit")
	static class Kit extends Versioned {

		@Id
		String id = "k";

		@FencedVersion(resource = "kit:#{id}")
		Long fence;

	}

	@Entity(name = "Piece")
	static class Piece extends Versioned {

		@Id
		@GeneratedValue
		Long id;

		@ManyToOne(cascade = CascadeType.PERSIST)
		@JoinColumn(updatable = false)
		Kit kit = new Kit();

		@FencedVersion(resource = "kit:#{kit.id}")
		Long fence;

	}

	@IdGeneratorType(OwnGenerator.class)
	@Retention(RetentionPolicy.RUNTIME)
	@interface Own {

	}

	public static class OwnGenerator implements BeforeExecutionGenerator {

		private static final long serialVersionUID = 1L;

		@Override
		public Object generate(SharedSessionContractImplementor session, Object owner, Object currentValue,
				EventType eventType) {
			return (currentValue != null) ? currentValue : UUID.randomUUID().toString();
		}

		@Override
		public EnumSet<EventType> getEventTypes() {
			return EventTypeSets.INSERT_ONLY;
		}

	}

	@IdGeneratorType(ChoosableGenerator.class)
	@Retention(RetentionPolicy.RUNTIME)
	@interface Choosable {

	}

	public static final class ChoosableGenerator extends OwnGenerator {

		private static final long serialVersionUID = 1L;

		@Override
		public boolean allowAssignedIdentifiers() {
			return true;
		}

	}

}
