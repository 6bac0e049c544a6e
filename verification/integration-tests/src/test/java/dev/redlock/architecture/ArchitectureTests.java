package dev.redlock.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.redlock.CurrentLease;
import dev.redlock.Lease;
import dev.redlock.Tick;
import dev.redlock.internal.client.Engine;
import dev.redlock.internal.plan.Ticket;
import dev.redlock.spi.Ticker;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.properties.HasModifiers.Predicates.modifier;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rules of the house.
 */
@AnalyzeClasses(packages = "dev.redlock", importOptions = ArchitectureTests.OnlyMain.class)
class ArchitectureTests {

	/**
	 * The modules of applications. Modules for tests, such as redlock-late-holder, may
	 * synchronize and sleep.
	 */
	private static final List<String> MODULES = List.of("redlock-core", "redlock-lettuce", "redlock-spring",
			"redlock-spring-boot-autoconfigure", "features/redlock-jobs", "features/redlock-job-history",
			"features/redlock-leader", "features/redlock-fences", "features/redlock-fences-jpa",
			"features/redlock-fences-data", "features/redlock-shedlock", "features/redlock-spring-integration");

	private static final String[] CORE = { "dev.redlock", "dev.redlock.internal..", "dev.redlock.spi",
			"dev.redlock.memory" };

	/**
	 * Public packages with more files than a room may have. Users know their types by
	 * these names.
	 */
	private static final List<String> PINNED = List.of("dev.redlock");

	private static final int MOST_FILES = 18;

	private static final DescribedPredicate<JavaClass> ROOM = resideInAPackage("dev.redlock..internal..");

	private static final DescribedPredicate<JavaClass> DOORS = belongToAnyOf(Engine.class, Ticket.class);

	private static final DescribedPredicate<JavaClass> TEMPLATE = resideInAnyPackage(
			"dev.redlock.spring.internal.lease", "dev.redlock.spring.internal.work");

	private static final String[] FEATURES = { "dev.redlock.spring.job..", "dev.redlock.spring.leader..",
			"dev.redlock.spring.fencing..", "dev.redlock.spring.jpa..", "dev.redlock.spring.data..",
			"dev.redlock.spring.shedlock..", "dev.redlock.spring.integration.." };

	@ArchTest
	static final ArchRule coreStandsAlone = noClasses().that()
		.resideInAnyPackage(CORE)
		.should()
		.dependOnClassesThat(resideInAnyPackage("org.springframework..", "io.lettuce..", "reactor..", "io.micrometer..",
				"dev.redlock.spring.."))
		.because("the algorithm has to run in a simulation, and be read in one sitting");

	@ArchTest
	static final ArchRule spiNeedsTheJdkOnly = classes().that()
		.resideInAPackage("dev.redlock.spi")
		.should()
		.onlyDependOnClassesThat(resideInAnyPackage("java..", "dev.redlock.spi", "org.jspecify.annotations")
			.or(belongToAnyOf(Tick.class)))
		.because("a node needs no more than the tick that users ask for");

	@ArchTest
	static final ArchRule memoryNeedsTheSpiOnly = classes().that()
		.resideInAPackage("dev.redlock.memory")
		.should()
		.onlyDependOnClassesThat(
				resideInAnyPackage("java..", "dev.redlock.spi", "dev.redlock.memory", "org.jspecify.annotations")
					.or(belongToAnyOf(Tick.class)))
		.because("it is what any node is measured by");

	@ArchTest
	static final ArchRule machineryUsesPublicTypesOfTheApi = noClasses().that()
		.resideInAPackage("dev.redlock.internal..")
		.should()
		.dependOnClassesThat(resideInAPackage("dev.redlock").and(not(modifier(JavaModifier.PUBLIC))))
		.because("the machinery must do with what users can see, so that each side can be read without the other");

	@ArchTest
	static final ArchRule roomsAreClosedToOtherModules = classes().that(ROOM)
		.should(beUsedInTheirModuleOnly())
		.because(
				"what is public in them is public only for the rooms above, and may change in any release; the template"
						+ " gives back leases by the Engine, and reads or pretends a Ticket");

	@ArchTest
	static final ArchRule roomsAreFreeOfCycles = slices().matching("(**).internal.(*)..")
		.should()
		.beFreeOfCycles()
		.because("a reader of one room must not need the rooms above it");

	@ArchTest
	static final ArchRule everyInternalClassHasARoom = noClasses().that()
		.doNotHaveSimpleName("package-info")
		.should()
		.resideInAPackage("dev.redlock..internal")
		.because("the name of its room says what a class is for")
		.allowEmptyShould(true);

	@ArchTest
	static void aRoomIsSmall(JavaClasses classes) {
		Map<String, Long> files = classes.stream()
			.filter((type) -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
			.collect(Collectors.groupingBy(JavaClass::getPackageName, TreeMap::new, Collectors.counting()));
		files.keySet().removeAll(PINNED);
		assertThat(files).as("a reader keeps a room of up to %s files in mind", MOST_FILES)
			.allSatisfy((name, count) -> assertThat(count).as(name).isLessThanOrEqualTo(MOST_FILES));
	}

	@ArchTest
	static final ArchRule onlyTemplatesOpenACurrentLease = noClasses().that()
		.resideOutsideOfPackages("dev.redlock.spring.internal.work")
		.should()
		.callMethod(CurrentLease.class, "open", Lease.class)
		.because("code that claims a lease it does not hold would pass every check of the current lease");

	@ArchTest
	static final ArchRule noCycles = slices().matching("dev.redlock.(**)")
		.should()
		.beFreeOfCycles()
		.because("a call flows one way");

	@ArchTest
	static final ArchRule nobodyImportsAutoConfiguration = noClasses().that()
		.resideOutsideOfPackages("..autoconfigure..", "dev.redlock.spring.job..", "dev.redlock.spring.leader")
		.should()
		.dependOnClassesThat(resideInAPackage("dev.redlock.spring.autoconfigure.."))
		.because("the auto-configuration knows the base, and only those of jobs and leaders, which follow it, know it");

	@ArchTest
	static final ArchRule lettuceStaysInItsPlace = noClasses().that()
		.resideOutsideOfPackages("dev.redlock.lettuce..", "..autoconfigure..")
		.should()
		.dependOnClassesThat(resideInAPackage("io.lettuce.."))
		.because("another client must not mean another lock");

	@ArchTest
	static final ArchRule shedLockIsKnownToItsAdapterOnly = noClasses().that()
		.resideOutsideOfPackage("dev.redlock.spring.shedlock")
		.should()
		.dependOnClassesThat(resideInAPackage("net.javacrumbs.."))
		.because("it is the library of one feature");

	@ArchTest
	static final ArchRule springIntegrationIsKnownToItsAdapterOnly = noClasses().that()
		.resideOutsideOfPackage("dev.redlock.spring.integration")
		.should()
		.dependOnClassesThat(resideInAPackage("org.springframework.integration.."))
		.because("it is the library of one feature");

	@ArchTest
	static final ArchRule theBaseKnowsNoFeature = noClasses().that()
		.resideOutsideOfPackages(FEATURES)
		.should()
		.dependOnClassesThat(resideInAnyPackage(FEATURES))
		.because("a feature can then be added, changed and left out without a change of the base");

	@ArchTest
	static final ArchRule coreHasNoClockAndNoThreads = noClasses().that()
		.resideInAnyPackage(CORE)
		.and()
		.doNotHaveFullyQualifiedName(Ticker.SYSTEM.getClass().getName())
		.should()
		.callMethod(System.class, "nanoTime")
		.orShould()
		.callMethod(System.class, "currentTimeMillis")
		.orShould()
		.callMethod(Instant.class, "now")
		.orShould()
		.callMethod(Thread.class, "sleep", long.class)
		.orShould()
		.callConstructorWhere(DescribedPredicate.describe("make threads outside of Callbacks",
				(JavaConstructorCall call) -> (call.getTargetOwner().isAssignableTo(Thread.class)
						|| call.getTargetOwner().isAssignableTo(ThreadPoolExecutor.class))
						&& !call.getOriginOwner().getSimpleName().equals("Callbacks")))
		.orShould()
		.dependOnClassesThat(DescribedPredicate.describe("make time or executors",
				(JavaClass type) -> List.of("java.time.Clock", "java.util.concurrent.Executors", "java.util.Timer")
					.contains(type.getName())))
		.because(
				"time, timers and threads are injected, Ticker.SYSTEM too; a node may say until when it waits, but nobody reads a"
						+ " clock; only if an application blocks all threads for callbacks, Callbacks starts more");

	@ArchTest
	static final ArchRule noSynchronizedMethods = methods().should()
		.notHaveModifier(JavaModifier.SYNCHRONIZED)
		.because("virtual threads would be pinned on older JDKs");

	@ArchTest
	static final ArchRule publicClassesAreFinal = classes().that()
		.arePublic()
		.and()
		.areNotInterfaces()
		.and()
		.areNotEnums()
		.and()
		.areNotRecords()
		.and()
		.areNotAssignableTo(Exception.class)
		.and(not(ROOM))
		.should()
		.haveModifier(JavaModifier.FINAL)
		.because("extension happens through small interfaces");

	@ArchTest
	static void autoConfigurationsAreListed(JavaClasses classes) {
		List<String> listed = ImportCandidates.load(AutoConfiguration.class, ArchitectureTests.class.getClassLoader())
			.getCandidates();
		classes.stream()
			.filter((type) -> type.isAnnotatedWith(AutoConfiguration.class))
			.forEach((type) -> assertThat(listed).contains(type.getName()));
	}

	@ArchTest
	static void everyPackageIsNullMarked(JavaClasses classes) throws ClassNotFoundException {
		TreeSet<String> packages = new TreeSet<>();
		classes.forEach((type) -> packages.add(type.getPackageName()));
		for (String name : packages) {
			assertThat(Class.forName(name + ".package-info").isAnnotationPresent(NullMarked.class)).as(name).isTrue();
		}
	}

	@ArchTest
	static void thePublicTypesAreThoseOfTheList(JavaClasses classes) throws IOException {
		TreeSet<String> types = new TreeSet<>();
		classes.stream()
			.filter((type) -> type.getModifiers().contains(JavaModifier.PUBLIC) && isReachable(type)
					&& !ROOM.test(type))
			.forEach((type) -> types.add(type.getName()));
		List<String> pinned = Files.readAllLines(Path.of("src/test/resources/public-types.txt"));
		assertThat(types).as("a new public type needs a reason and a line in public-types.txt")
			.containsExactlyElementsOf(pinned);
	}

	/**
	 * A text is no dependency that the compiler would see.
	 */
	@Test
	void noSourceOfTheBaseNamesAFeature() throws IOException {
		for (String module : MODULES) {
			if (!module.startsWith("features/")) {
				for (Path file : sources(module)) {
					assertThat(Files.readString(file)).as(file.toString())
						.doesNotContain("RedLockJob", "redlock.jobs", "LeaderOnly", "redlock.leader", "FencedVersion",
								"ShedLock", "LockRegistry")
						.doesNotContainPattern("redlock-(jobs|job-history|leader|fences|shedlock|spring-integration)");
				}
			}
		}
	}

	/**
	 * An auto-configuration may come after one that is missing, but it cannot use a class
	 * that is missing.
	 */
	@Test
	void aFeatureThatUsesTheAutoConfigurationBringsIt() throws IOException {
		Pattern use = Pattern.compile("import dev\\.redlock\\.spring\\.autoconfigure\\.\\w+(?<!AutoConfiguration);");
		for (String module : MODULES) {
			for (Path file : sources(module)) {
				if (module.startsWith("features/") && use.matcher(Files.readString(file)).find()) {
					assertThat(Files.readString(Path.of("..", "..", module, "pom.xml"))).as(file.toString())
						.doesNotContainPattern("redlock-spring-boot-autoconfigure</artifactId>\\s*<optional>");
				}
			}
		}
	}

	@Test
	void noSourceSynchronizesOrSleeps() throws IOException {
		for (String module : MODULES) {
			for (Path file : sources(module)) {
				assertThat(Files.readString(file)).as(file.toString())
					.doesNotContainPattern("\\bsynchronized [(\\w]")
					.doesNotContain(".sleep(");
			}
		}
	}

	private static ArchCondition<JavaClass> beUsedInTheirModuleOnly() {
		return new ArchCondition<>("be used in their module only") {
			@Override
			public void check(JavaClass type, ConditionEvents events) {
				type.getDirectDependenciesToSelf()
					.stream()
					.filter((use) -> !moduleOf(use.getOriginClass()).equals(moduleOf(type))
							&& !(DOORS.test(type) && TEMPLATE.test(use.getOriginClass())))
					.forEach((use) -> events.add(SimpleConditionEvent.violated(use, use.getDescription())));
			}
		};
	}

	/**
	 * Returns the folder or the archive from which a class was read.
	 */
	private static String moduleOf(JavaClass type) {
		String file = type.getName().replace('.', '/').replaceFirst("\\$.*", "");
		String source = type.getSource().orElseThrow().getUri().toString();
		return source.substring(0, source.lastIndexOf(file));
	}

	private static List<Path> sources(String module) throws IOException {
		try (Stream<Path> files = Files.walk(Path.of("..", "..", module, "src/main/java"))) {
			return files.filter((path) -> path.toString().endsWith(".java")).toList();
		}
	}

	private static boolean isReachable(JavaClass type) {
		return type.getEnclosingClass()
			.map((outer) -> outer.getModifiers().contains(JavaModifier.PUBLIC) && isReachable(outer))
			.orElse(true);
	}

	static final class OnlyMain implements ImportOption {

		@Override
		public boolean includes(Location location) {
			return !location.contains("/test-classes/") && !location.contains("-tests.jar")
					&& !location.contains("/integration-tests/") && !location.contains("/redlock-spring-boot-test");
		}

	}

}
