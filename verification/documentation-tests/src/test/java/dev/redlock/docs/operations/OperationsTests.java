package dev.redlock.docs.operations;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import com.jayway.jsonpath.JsonPath;
import dev.redlock.Lease;
import dev.redlock.LockAttempt;
import dev.redlock.LockRequest;
import dev.redlock.Redlock;
import dev.redlock.test.EmbeddedRedlock;
import dev.redlock.test.RedisNodes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(classes = ObservedApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "spring.application.name=shop", "server.address=127.0.0.1", "redlock.owner=shop@host-1",
				"management.endpoint.redlock.access=unrestricted", "redlock.web.problem-details.enabled=true",
				"management.endpoints.web.exposure.include=*", "management.endpoint.health.show-details=always",
				"management.metrics.distribution.percentiles-histogram.redlock.acquire=true" })
@EmbeddedRedlock(nodes = 5)
class OperationsTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private static final Pattern METER = Pattern.compile("\\bredlock_[a-z_]+");

	private static final Pattern INCREASE = Pattern.compile("increase\\((redlock_\\w+)\\{(\\w+)([!=]~?)\"([^\"]*)\"}");

	private static final Pattern GROUP = Pattern.compile("by \\(([\\w, ]+)\\) \\((?:\\w+\\()?(redlock_\\w+)");

	private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

	private final Browser browser;

	private final Redlock redlock;

	private final RedisNodes nodes;

	OperationsTests(@Autowired Environment environment, @Autowired Redlock redlock, @Autowired RedisNodes nodes) {
		this.browser = new Browser(environment.getRequiredProperty("local.server.port", Integer.class));
		this.redlock = redlock;
		this.nodes = nodes;
	}

	@BeforeEach
	void allNodesAreReady() {
		awaitReady(5);
	}

	@Test
	void theApplicationIsUpWithAllNodes() throws IOException {
		HttpResponse<String> health = Browser.keep("health-all-up.json", this.browser.get("/actuator/health/redlock"));
		assertThat(health.statusCode()).isEqualTo(200);
		assertThat(JsonPath.<Integer>read(health.body(), "$.details.margin")).isEqualTo(2);
		assertThat(health.body()).doesNotContain("degraded");
	}

	@Test
	void withOneOfFiveDownTheApplicationIsUpAndDegraded() throws IOException {
		this.nodes.get("e").kill();
		awaitReady(4);
		HttpResponse<String> health = Browser.keep("health-one-down.json",
				this.browser.get("/actuator/health/redlock"));
		assertThat(health.statusCode()).isEqualTo(200);
		assertThat(JsonPath.<String>read(health.body(), "$.status")).isEqualTo("UP");
		assertThat(JsonPath.<Boolean>read(health.body(), "$.details.degraded")).isTrue();
		assertThat(JsonPath.<Integer>read(health.body(), "$.details.margin")).isEqualTo(1);
		assertThat(JsonPath.<String>read(health.body(), "$.details.nodes.e.state")).isEqualTo("UNAVAILABLE");
		assertThat(this.browser.get("/actuator/health").statusCode()).isEqualTo(200);
		assertThat(this.browser.send("POST", "/buy/42").body()).isEqualTo("sold 42");
	}

	@Test
	void withThreeOfFiveDownItIsDownAndBuyersAreToldWhenToComeBack() throws IOException {
		for (String name : new String[] { "c", "d", "e" }) {
			this.nodes.get(name).kill();
		}
		awaitReady(2);
		HttpResponse<String> health = Browser.keep("health-three-down.json",
				this.browser.get("/actuator/health/redlock"));
		assertThat(health.statusCode()).isEqualTo(503);
		assertThat(JsonPath.<String>read(health.body(), "$.status")).isEqualTo("DOWN");
		assertThat(JsonPath.<Integer>read(health.body(), "$.details.margin")).isEqualTo(-1);
		HttpResponse<String> problem = Browser.keep("problem-no-quorum.json", this.browser.send("POST", "/buy/42"));
		assertThat(problem.statusCode()).isEqualTo(503);
		assertThat(problem.headers().firstValue("Retry-After")).contains("5");
		assertThat(problem.headers().firstValue("Content-Type")).contains("application/problem+json");
	}

	@Test
	void theEndpointShowsWhatIsHeldAndWhoWaitsAndLetsAnOperatorRelease() throws IOException {
		Lease lease = this.redlock.attemptAndWait(LockRequest.of("stock:42").withOrigin("Shop.count")).orThrow();
		CompletableFuture<LockAttempt> waiting = this.redlock
			.attempt(LockRequest.of("stock:42").withWaitFor(Duration.ofSeconds(30)))
			.toCompletableFuture();
		HttpResponse<String> all = Browser.keep("endpoint.json", this.browser.get("/actuator/redlock"));
		assertThat(JsonPath.<String>read(all.body(), "$.leases[0].resources[0]")).isEqualTo("stock:42");
		assertThat(JsonPath.<String>read(all.body(), "$.leases[0].owner")).isEqualTo("shop@host-1");
		assertThat(JsonPath.<String>read(all.body(), "$.leases[0].origin")).isEqualTo("Shop.count");
		assertThat(JsonPath.<Long>read(all.body(), "$.leases[0].fence")).isEqualTo(lease.fence());
		assertThat(Duration.parse(JsonPath.read(all.body(), "$.leases[0].remaining"))).isPositive();
		assertThat(JsonPath.<Integer>read(all.body(), "$.waiters['stock:42']")).isEqualTo(1);
		HttpResponse<String> one = Browser.keep("endpoint-resource.json",
				this.browser.get("/actuator/redlock/stock:42"));
		assertThat(JsonPath.<String>read(one.body(), "$.verdict")).isEqualTo("HELD");
		assertThat(JsonPath.<String>read(one.body(), "$.nodes[4].holder")).isEqualTo("shop@host-1");
		String token = String.valueOf(this.nodes.get("a").command("GET", "redlock:stock:42"));
		assertThat(all.body() + one.body()).doesNotContain(token, "null");
		HttpResponse<String> problem = Browser.keep("problem-held.json", this.browser.send("POST", "/buy/42"));
		assertThat(problem.statusCode()).isEqualTo(409);
		assertThat(problem.body()).doesNotContain("stock:42", "shop@host-1");
		waiting.cancel(false);
		HttpResponse<String> released = Browser.keep("endpoint-release.json",
				this.browser.send("DELETE", "/actuator/redlock/stock:42"));
		assertThat(released.statusCode()).isEqualTo(200);
		assertThat(lease.isValid()).isFalse();
		assertThat(this.browser.send("DELETE", "/actuator/redlock/stock:42").statusCode()).isEqualTo(404);
	}

	@Test
	void theScrapeShowsAllMetersAndNoResource() throws IOException {
		HttpResponse<String> scrape = Browser.keep("scrape.txt", scrapeAfterSomeLocks());
		assertThat(scrape.body()).contains(
				"redlock_acquire_seconds_count{error=\"none\",method=\"Shop.buy\"," + "outcome=\"acquired\"}",
				"redlock_acquire_seconds_count{error=\"none\",method=\"Shop.buy\"," + "outcome=\"held\"}",
				"redlock_hold_seconds_count{error=\"LockLostException\",method=\"template\",outcome=\"lost\"}",
				"redlock_node_seconds_count{node=\"a\",outcome=\"granted\"}",
				"redlock_node_state{node=\"a\",state=\"ready\"} 1.0", "redlock_margin 2.0",
				"redlock_lost_total{reason=\"revoked\"}", "redlock_renew_total{outcome=\"extended\"}",
				"redlock_waiters 0.0");
		assertThat(scrape.body().lines().filter((line) -> line.contains("redlock_")))
			.noneMatch((line) -> line.contains("stock:"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "grafana-redlock.json", "alerts.yml" })
	void dashboardAndAlertsAskForMetersThatExist(String file) throws IOException {
		String text = Files.readString(Path.of("../../docs/files", file));
		// JSON is YAML too.
		assertThat(new Yaml().<Map<String, Object>>load(text)).isNotEmpty();
		Set<String> asked = METER.matcher(text).results().map((match) -> match.group()).collect(Collectors.toSet());
		Set<String> existing = Arrays.stream(scrapeAfterSomeLocks().body().split("\n"))
			.map((line) -> line.split("[{ ]", 2)[0])
			.collect(Collectors.toSet());
		assertThat(asked).isNotEmpty().isSubsetOf(existing);
	}

	/**
	 * Prometheus sees no increase in a series that begins with its first event.
	 */
	@Test
	void anAlertOnAnIncreaseSeesTheFirstEvent() throws IOException {
		String alerts = Files.readString(Path.of("../../docs/files/alerts.yml"));
		List<Series> fresh = this.browser.get("/actuator/prometheus").body().lines().map(Series::of).toList();
		List<MatchResult> increases = INCREASE.matcher(alerts).results().toList();
		assertThat(increases).hasSizeGreaterThan(2);
		for (MatchResult increase : increases) {
			Pattern values = Pattern.compile(increase.group(4));
			boolean negated = increase.group(3).startsWith("!");
			assertThat(fresh).as(increase.group())
				.filteredOn((series) -> series.name().equals(increase.group(1)))
				.extracting((series) -> series.labels().get(increase.group(2)))
				.anyMatch((value) -> value != null && values.matcher(value).matches() != negated);
		}
	}

	@Test
	void alertsGroupByLabelsThatExist() throws IOException {
		String alerts = Files.readString(Path.of("../../docs/files/alerts.yml"));
		List<Series> series = scrapeAfterSomeLocks().body().lines().map(Series::of).toList();
		List<MatchResult> groups = GROUP.matcher(alerts).results().toList();
		assertThat(groups).hasSizeGreaterThan(5);
		for (MatchResult group : groups) {
			Set<String> labels = new TreeSet<>(List.of(group.group(1).split(", ")));
			labels.remove("instance");
			assertThat(series).as(group.group())
				.anyMatch((each) -> each.name().equals(group.group(2)) && each.labels().keySet().containsAll(labels));
		}
	}

	private HttpResponse<String> scrapeAfterSomeLocks() {
		assertThat(this.browser.send("POST", "/buy/1").statusCode()).isEqualTo(200);
		this.redlock.attemptAndWait(LockRequest.of("stock:4")).orThrow().close();
		this.redlock.attemptAndWait(LockRequest.of("stock:2")).orThrow();
		this.browser.send("DELETE", "/actuator/redlock/stock:2");
		this.nodes.asList().forEach((node) -> node.command("SET", "redlock:stock:3", "another", "PX", "30000"));
		assertThat(this.browser.send("POST", "/buy/3").statusCode()).isEqualTo(409);
		this.nodes.asList().forEach((node) -> node.command("DEL", "redlock:stock:3"));
		// Votes are told behind the answer, and a loss to those who listen.
		Awaitility.await()
			.atMost(BOUND)
			.until(() -> this.browser.get("/actuator/prometheus").body(),
					(body) -> body.contains("redlock_node_seconds_count{node=\"e\",outcome=\"refused\"}")
							&& body.contains("redlock_hold_seconds_count{error=\"none\",method=\"template\"")
							&& body.contains("redlock_waiters 0.0"));
		return this.browser.get("/actuator/prometheus");
	}

	private void awaitReady(int count) {
		Awaitility.await().atMost(BOUND).until(() -> this.redlock.quorum().ready(), (ready) -> ready == count);
	}

	/**
	 * One line of a scrape.
	 */
	private record Series(String name, Map<String, String> labels) {

		static Series of(String line) {
			return new Series(line.split("[{ ]", 2)[0], LABEL.matcher(line)
				.results()
				.collect(Collectors.toMap((label) -> label.group(1), (label) -> label.group(2), (one, two) -> one)));
		}

	}

}
