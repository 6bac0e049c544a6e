package dev.redlock.spring.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import dev.redlock.lettuce.RedisProcess;
import dev.redlock.spring.autoconfigure.internal.settings.RedlockPropertiesCheck;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Each mistake in the configuration ends the start with a description and an action.
 */
class FailureAnalysisTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, RedlockAutoConfiguration.class));

	@Test
	void noInstances() {
		FailureAnalysis analysis = analyze();
		assertThat(analysis.getDescription()).contains("no 'redlock.instances'")
			.contains("no RedisConnectionFactory bean");
		assertThat(analysis.getAction()).contains("redlock:\n  instances:\n    a: { host:")
			.contains("redlock-spring-boot-test")
			.contains("redlock.embedded.enabled=true");
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.data.redis.host=10.0.0.1", "spring.data.redis.sentinel.master=m" })
	void propertiesOfSpringDataRedisThatNothingReads(String property) {
		FailureAnalysis analysis = analyze(property);
		assertThat(analysis.getDescription()).contains("no 'redlock.instances'")
			.contains("spring.data.redis is set, but there is no RedisConnectionFactory bean");
		assertThat(analysis.getAction()).contains("org.springframework.boot:spring-boot-starter-data-redis")
			.contains("redlock:\n  instances:\n    a: { host:");
		assertThat(analysis.getCause()).hasMessageContaining("spring-boot-starter-data-redis");
	}

	@Test
	void anOlderSpringBoot() {
		assertThatThrownBy(() -> SpringBootVersionCheck.check("3.5.9")).hasMessageContaining("needs Spring Boot 4")
			.hasMessageContaining("runs on 3.5.9");
		SpringBootVersionCheck.check("4.0.0");
	}

	@ParameterizedTest
	@ValueSource(strings = { "redlock.ttl=30s", "redlock.instances.a.host=h" })
	void embeddedServersWithoutTheirModule(String other) {
		FailureAnalysis analysis = analyze("redlock.embedded.enabled=true", other);
		assertThat(analysis.getDescription()).contains("'redlock.embedded.enabled'")
			.contains("redlock-spring-boot-test is not on the class path");
		assertThat(analysis.getAction()).contains("spring-boot:run").contains("left out of a packaged application");
	}

	@ParameterizedTest
	@ValueSource(strings = { "renew=true", "restart-guard=false", "retry=3", "instances.a.ssl=true" })
	void aValueInPlaceOfAGroupIsNotIgnored(String property) {
		assertThat(failure("redlock." + property, "redlock.instances.a.host=h")).hasStackTraceContaining("redlock.");
	}

	@Test
	void theSameEndpointTwice() {
		FailureAnalysis analysis = analyze("redlock.instances.a.host=Redis-1", "redlock.instances.b.host=redis-1",
				"redlock.instances.b.database=3");
		assertThat(analysis.getDescription()).contains("'redlock.instances.b'")
			.contains("same server as instance 'a'")
			.contains("redis-1:6379");
		assertThat(analysis.getAction()).contains("Set another server for instance 'b', or remove the instance");
	}

	@Test
	void theSameServerByTwoEndpoints() {
		try (RedisProcess redis = RedisProcess.start()) {
			FailureAnalysis analysis = analyze("redlock.instances.a.url=redis://127.0.0.1:" + redis.port(),
					"redlock.instances.b.url=redis://localhost:" + redis.port());
			assertThat(analysis.getDescription()).contains("run_id").contains("'a'");
			assertThat(analysis.getAction()).contains("Set another server");
		}
	}

	@ParameterizedTest
	@CsvSource({ "wait-for,5", "lock-delay,5", "shutdown-timeout,10", "ttl,30", "retry.delay,99", "renew.max-hold,1",
			"node-timeout,20", "fencing.retention,30" })
	void aDurationWithoutAUnitThatIsPerhapsMeantAsSeconds(String property, String value) {
		String number = value.replaceAll("[^0-9]", "");
		FailureAnalysis analysis = analyze("redlock.instances.a.host=h", "redlock." + property + "=" + value);
		assertThat(analysis.getDescription()).contains("'redlock." + property + "'",
				number + " is " + number + " milliseconds, and was perhaps meant as seconds");
		assertThat(analysis.getAction()).isEqualTo("Write " + number + "s or " + number + "ms.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "wait-for=0", "wait-for=100", "wait-for=20ms", "retry.delay=PT0.05S", "shutdown-timeout=0",
			"retry.count=5" })
	void aDurationThatIsZeroOrLongerOrHasAUnitIsMeant(String property) {
		assertThat(failure("redlock." + property)).rootCause().hasMessageContaining("there are no 'redlock.instances'");
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|',
			textBlock = """
					a.connection-factory=nobody                | a.connection-factory; no RedisConnectionFactory bean named 'nobody' | Define the bean, or use host or url.
					a.host=h a.ssl.bundle=nobody               | a.ssl.bundle; no SSL bundle named 'nobody'    | spring.ssl.bundle
					a.host=h defaults.ssl.bundle=nobody        | defaults.ssl.bundle; no SSL bundle named 'nobody' | spring.ssl.bundle
					a.connection-factory=f a.ssl.bundle=redis  | a.ssl; would be ignored                       | on the RedisConnectionFactory bean
					a.host=h a.sentinel.password=p             | a; the instance sets host and sentinel                  | exactly one of
					a.port=6379                                | a; does not say where                         | exactly one of host, url, sentinel, cluster
					a.host=h a.url=redis://h                   | a; the instance sets host and url                       | exactly one of
					a.sentinel.nodes=h:26379                   | a.sentinel; both a master and nodes           | sentinel.master
					a=redis://h a.ssl.bundle=redis             | a.ssl.bundle; the instance has a single value | The URL of an instance is redlock.instances.<name>.url
					a.host=h defaults.port=70000               | defaults.port; 70000 is not a valid port      | from 1 to 65535
					a.host=h a.port=0                          | a.port; 0 is not a valid port                 | from 1 to 65535
					a.host=${NOT_THERE}                        | a.host; the value has a placeholder that cannot be resolved  | ${NAME:localhost}
					a.url=redis://${NOT_THERE}:6379            | a.url; the value has a placeholder that cannot be resolved   | ${NAME:localhost}
					a.host=h defaults.tls.enabled=true         | defaults.tls.enabled; there is no property    | ''
					a.host=h a.use-ssl=true                    | a.use-ssl; there is no property               | ''
					a.host=h ttl=100ms node-timeout=100ms      | node-timeout; the node timeout takes 100 ms   | Change 'redlock.node-timeout'
					a.host=h max-ttl=5s                        | max-ttl; at least redlock.ttl, 30000 ms       | Change 'redlock.max-ttl'
					a.host=h ttl=40s                           | ttl; over the max-ttl of 30000 ms             | Change 'redlock.ttl'
					a.host=h lock-delay=10s                    | lock-delay; redlock.max-ttl=40000ms           | Change 'redlock.lock-delay'
					""")
	void aMistakeNamesThePropertyTheProblemAndTheWayOut(String properties, String problem, String action) {
		FailureAnalysis analysis = analyze(
				Stream.of(properties.split(" ")).map(FailureAnalysisTests::full).toArray(String[]::new));
		String[] parts = problem.split("; ");
		assertThat(analysis.getDescription()).contains("'" + full(parts[0]) + "'", (parts.length > 1) ? parts[1] : "");
		assertThat(analysis.getAction()).contains(action);
	}

	@ParameterizedTest
	@CsvSource({ "url=redis://h,port=6380,url", "url=redis://h/1,database=0,url",
			"url=redis://:secret@h,password=other,url", "url=redis://:secret@h,username=me,url",
			"sentinel.nodes=h:26379,port=6380,sentinel", "cluster.nodes=h:6379,port=6380,cluster",
			"cluster.nodes=h:6379,database=1,cluster", "connection-factory=f,port=6380,connection-factory",
			"connection-factory=f,password=other,connection-factory",
			"connection-factory=f,client-name=me,connection-factory" })
	void aSettingOfAnInstanceThatWouldBeIgnored(String place, String setting, String kind) {
		FailureAnalysis analysis = analyze("redlock.instances.a." + place, "redlock.instances.a." + setting);
		assertThat(analysis.getDescription()).contains("'redlock.instances.a." + setting.split("=")[0] + "'")
			.contains("would be ignored, because the instance also has '" + kind + "'")
			.doesNotContain("secret", "other");
		assertThat(analysis.getAction()).startsWith("Remove the property").doesNotContain("secret");
	}

	@Test
	void aUrlThatIsNoneIsNotRepeatedAsItMayHoldAPassword() {
		FailureAnalysis analysis = analyze("redlock.instances.a.url=http://user:secret@h");
		assertThat(analysis.getDescription()).contains("'redlock.instances.a.url'").doesNotContain("secret");
		assertThat(analysis.getAction()).contains("redis://user:password@host");
	}

	@Test
	void aUrlInPlaceOfAllInstancesIsExplainedWithoutShowingIt() {
		FailureAnalysis analysis = analyze("redlock.instances=redis://user:secret@h");
		assertThat(analysis.getDescription()).contains("'redlock.instances'")
			.contains("an instance needs properties below it")
			.doesNotContain("secret");
		assertThat(analysis.getAction()).contains("redlock.instances.<name>.url")
			.contains("redlock.instances.<name>.host");
	}

	@ParameterizedTest
	@CsvSource({ "redis://h?clientName=lock,behind '?' or '#'", "redis://user:secret#et@h:1,behind '?' or '#'",
			"redis://redis_a:6380,is not the URL", "redis://user:secret@redis_a:6380/1,is not the URL" })
	void aUrlThatWouldBeReadOnlyInPart(String url, String problem) {
		FailureAnalysis analysis = analyze("redlock.instances.a.url=" + url);
		assertThat(analysis.getDescription()).contains("'redlock.instances.a.url'", problem);
		assertThat(analysis.getDescription() + analysis.getAction() + analysis.getCause().getMessage())
			.doesNotContain("secret", "lock,");
	}

	@Test
	void theMessageOfTheExceptionStandsAlone() {
		assertThat(failure("redlock.instances.a.host=h", "redlock.instances.b.host=h"))
			.hasRootCauseMessage("The configuration property 'redlock.instances.b' is not usable: the instance has "
					+ "the same server as instance 'a': both instances lead to h:6379. A server that votes twice "
					+ "could make a majority alone. Set another server for instance 'b', or remove the instance.");
		assertThat(failure("redlock.instances.a.host=h", "redlock.connect-timeout=0s"))
			.hasRootCauseMessage("The configuration property 'redlock.connect-timeout' is not usable: the timeout "
					+ "must be more than zero and at most 10 minutes. Remove the property, or set a timeout such as "
					+ "2s.");
		assertThat(failure()).hasRootCauseMessage("The lock has no Redis servers: there are no 'redlock.instances', "
				+ "and there is no RedisConnectionFactory bean to fall back on. Set redlock.instances.<name>.host for "
				+ "an odd number of independent masters, or set redlock.enabled to false to run without locks.");
	}

	@ParameterizedTest
	@CsvSource({ "ttl,0s,redlock.ttl", "ttl,-1s,redlock.ttl", "ttl,90s,redlock.ttl", "ttl,10ms,redlock.ttl",
			"node-timeout,29900ms,redlock.node-timeout", "lock-delay,40s,redlock.lock-delay",
			"max-ttl,20s,redlock.max-ttl", "max-ttl,3650d,redlock.max-ttl", "max-ttl,0s,redlock.max-ttl",
			"lock-delay,-1s,redlock.lock-delay", "wait-for,-1s,redlock.wait-for",
			"node-timeout,0s,redlock.node-timeout", "retry.count,-2,redlock.retry.count",
			"retry.delay,0s,redlock.retry.delay", "renew.max-hold,0s,redlock.renew.max-hold",
			"clock-drift-factor,1,redlock.clock-drift-factor", "connect-timeout,0s,redlock.connect-timeout",
			"connect-timeout,30d,redlock.connect-timeout", "shutdown-timeout,-1s,redlock.shutdown-timeout" })
	void aNumberThatCannotBe(String property, String value, String named) {
		FailureAnalysis analysis = analyze("redlock.instances.a.host=h", "redlock." + property + "=" + value);
		assertThat(analysis.getDescription()).contains("'" + named + "'");
		assertThat(analysis.getAction()).isNotBlank();
		assertThat(analysis.getCause().getMessage()).contains(analysis.getDescription()).contains(analysis.getAction());
	}

	@Test
	void aMaxTtlThatLeavesNothingOfTheTtlIsNotCalledAMistakeOfTheTtl() {
		FailureAnalysis analysis = analyze("redlock.instances.a.host=h", "redlock.max-ttl=30d");
		assertThat(analysis.getDescription()).startsWith("The configuration property 'redlock.max-ttl'")
			.contains(
					"the value is 2592000000 ms. A larger max-ttl means that more of each ttl is kept as an allowance "
							+ "for clocks")
			.doesNotContain("Raise the ttl");
	}

	@ParameterizedTest
	@ValueSource(strings = { "instance.a.host", "waitfro", "retry.dealy", "retry.jitter", "enabeld", "tll", "key-prefx",
			"fencng.enabled", "restart-guard.on", "unheard-of.size", "observation.include-resource",
			"web.problem-details.enabeld", "embedded.node", "embedded.nodes.number" })
	void aPropertyThatNoModuleReads(String property) {
		FailureAnalysis analysis = analyze("redlock.instances.b.host=127.0.0.1", "redlock." + property + "=secret");
		assertThat(analysis.getDescription()).contains("'redlock." + property + "'", "no property of this name");
		assertThat(analysis.getAction()).startsWith("Correct or remove the property").contains("docs/configuration.md");
		assertThat(analysis.getDescription() + analysis.getAction() + analysis.getCause().getMessage())
			.doesNotContain("secret");
	}

	@ParameterizedTest
	@ValueSource(strings = { "redlock.instances.a.prot", "redlock.instances.a.ssl.bundel",
			"redlock.instances.a.pasword", "redlock.instances.a.custom" })
	void anUnknownPropertyOfAnInstance(String property) {
		FailureAnalysis analysis = analyze("redlock.instances.b.host=127.0.0.1", property + "=secret");
		assertThat(analysis.getDescription()).contains("'" + property + "'", "no property of this name");
		assertThat(analysis.getAction()).contains("Correct or remove the property").contains("docs/configuration.md");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "redlock.enabled", "redlock.wait_for", "redlock.waitFor", "redlock.web.problem-details.enabled",
					"redlock.observation.include-resources", "redlock.embedded.nodes", "redlock.embedded.restartGuard",
					"redlock.instances.a.sentinel.nodes[0]", "redlock.instances.instance.host", "redlocks.ttk" })
	void aPropertyThatAModuleReads(String property) {
		// Ends the start later, so that no server is needed.
		this.runner.withPropertyValues("redlock.ttl=0s", property + "=" + (property.endsWith("enabled") ? "true" : "0"))
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("ttl must be more than zero"));
	}

	@Test
	void aNativeImageKnowsThePropertiesOfModules() {
		RuntimeHints hints = new RuntimeHints();
		new RedlockPropertiesCheck.Names().registerHints(hints, null);
		assertThat(hints).matches(RuntimeHintsPredicates.resource().forResource("META-INF/redlock-property-names"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "REDLOCK_INSTANCE", "REDLOCK_WAIT_FOR", "REDLOCK_SERVICE_HOST" })
	void aVariableOfTheEnvironmentMayBelongToOthers(String variable) {
		this.runner.withInitializer((context) -> environment(context, variable))
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("there are no 'redlock.instances'"));
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "REDLOCK_INSTANCES_NODE_B_HOST", "REDLOCK_INSTANCES_NODE_B", "REDLOCK_INSTANCES_B_HOSTNAME" })
	void aVariableForAnInstanceThatWouldNotVote(String variable) {
		this.runner.withPropertyValues("redlock.instances.a.host=h", "redlock.instances.nodeb.host=i")
			.withInitializer((context) -> environment(context, variable))
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("there is no property of this name"));
	}

	private static String full(String property) {
		return property.matches("a(?![a-z]).*") ? "redlock.instances." + property : "redlock." + property;
	}

	private static void environment(ConfigurableApplicationContext context, String variable) {
		context.getEnvironment()
			.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, new SystemEnvironmentPropertySource(
					StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, Map.of(variable, "5s")));
	}

	private Throwable failure(String... properties) {
		AtomicReference<Throwable> failure = new AtomicReference<>();
		this.runner.withPropertyValues(properties).run((context) -> {
			assertThat(context).hasFailed();
			failure.set(context.getStartupFailure());
		});
		return failure.get();
	}

	private FailureAnalysis analyze(String... properties) {
		Throwable failure = failure(properties);
		List<FailureAnalysis> analyses = new ArrayList<>();
		for (FailureAnalyzer analyzer : SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, SpringFactoriesLoader.FailureHandler.handleMessage((message, ex) -> {
			}))) {
			FailureAnalysis analysis = analyzer.getClass().getPackageName().startsWith("dev.redlock")
					? analyzer.analyze(failure) : null;
			if (analysis != null) {
				analyses.add(analysis);
			}
		}
		assertThat(analyses).as("analyses of " + failure).hasSize(1);
		return analyses.get(0);
	}

}
