package dev.redlock.test.lateholder;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;

import dev.redlock.spring.annotation.RedLock;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.restclient.RestTemplateBuilder;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.mock.http.client.MockClientHttpRequest;
import org.springframework.mock.http.client.MockClientHttpResponse;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.client.support.RestClientHttpServiceGroupConfigurer;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.support.WebClientHttpServiceGroupConfigurer;
import org.springframework.web.service.annotation.PostExchange;
import org.springframework.web.service.registry.HttpServiceGroup;
import org.springframework.web.service.registry.ImportHttpServices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Each kind of client and of method, with a write that no fence guards.
 */
@SpringBootTest
@AutoConfigureLateHolder
@ExtendWith(OutputCaptureExtension.class)
class LateHolderClientsTests {

	@Autowired
	Notes notes;

	@Autowired
	Receiver receiver;

	@Autowired
	DatabaseClient database;

	@Autowired
	LateHolder lateHolder;

	@ParameterizedTest
	@EnumSource
	void aRequestOfEachClientIsWatched(Client client) {
		assertThat(lateRow((value) -> client.post.apply(this.notes, value)))
			.matches("1  POST /notes +LANDED LATE, then .*");
	}

	@Test
	void aReadThatFindsNothingIsNotRefused(CapturedOutput output) {
		this.lateHolder.given(this.receiver::reset)
			.call(() -> this.notes.find("once"))
			.verify(() -> assertThat(this.receiver.received()).isNotEmpty());
		assertThat(output).containsPattern("1  GET /notes +wrote nothing");
	}

	@Test
	void aStatementOverR2dbcIsWatched() {
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> this.lateHolder.given(this::emptyTable)
				.call(() -> this.notes.byR2dbc("mine"))
				.rival(() -> this.notes.byR2dbc("of the rival"))
				.verify(() -> assertThat(stored()).isEqualTo("of the rival")))
			.satisfies((broken) -> {
				assertThat(row(broken, 1)).matches("1  select text from note +LANDED LATE, then .*BROKEN.* +holds");
				assertThat(row(broken, 2)).matches("2  update note set text = .*LANDED LATE, then .*BROKEN.*");
			});
	}

	@Test
	void aTransactionOverR2dbcIsWatchedToItsCommit() {
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> this.lateHolder.given(this::emptyTable)
				.call(() -> this.notes.inTransaction("mine"))
				.rival(() -> this.notes.inTransaction("of the rival"))
				.verify(() -> assertThat(stored()).isEqualTo("of the rival")))
			.satisfies((broken) -> {
				assertThat(row(broken, 1)).matches("1  update note set text = .*LANDED LATE, then .*BROKEN.* +holds");
				assertThat(row(broken, 2)).matches("2  commit +LANDED LATE.*; the rival had to wait.*");
			});
	}

	@Test
	void aSuspendingFunctionIsWatched(@Autowired SuspendingNotes suspending) {
		emptyTable();
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> SuspendingNotes.verify(this.lateHolder, suspending,
					() -> assertThat(stored()).isEqualTo("of the rival")))
			.satisfies((broken) -> assertThat(row(broken, 1)).matches("1  update note .*LANDED LATE, then .*BROKEN.*"));
	}

	@Test
	void aBeanOfAnUnwatchedClientIsNamed(CapturedOutput output) {
		this.lateHolder.given(this.receiver::reset)
			.call(() -> this.notes.byRestClient("once"))
			.verify(() -> assertThat(this.receiver.received()).hasSize(1));
		assertThat(output).contains(
				"The test does not watch the beans [httpClient]. Call lateHolder.step(\"…\") where the call uses");
	}

	private String lateRow(Function<String, Object> call) {
		StringBuilder row = new StringBuilder();
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> this.lateHolder.given(this.receiver::reset)
				.call(() -> call.apply("mine"))
				.rival(() -> call.apply("of the rival"))
				.verify(() -> assertThat(this.receiver.received()).last().isEqualTo("of the rival")))
			.satisfies((broken) -> row.append(row(broken, 1)));
		return row.toString();
	}

	private static String row(AssertionError broken, int number) {
		return broken.getMessage().lines().toList().get(2 + number);
	}

	private void emptyTable() {
		this.database.sql("merge into note (id, text) key (id) values (1, '')").then().block();
	}

	private String stored() {
		return this.database.sql("select text from note").mapValue(String.class).one().block();
	}

	enum Client {

		REST_CLIENT(Notes::byRestClient), REST_TEMPLATE(Notes::byRestTemplate),
		REST_TEMPLATE_OF_BOOTS_BUILDER(Notes::byBuiltRestTemplate), WEB_CLIENT_OF_A_PUBLISHER(Notes::byWebClient),
		REST_CLIENT_IN_A_FUTURE(Notes::inFuture), HTTP_INTERFACE(Notes::byInterface),
		REACTIVE_HTTP_INTERFACE(Notes::byReactiveInterface);

		private final BiFunction<Notes, String, Object> post;

		Client(BiFunction<Notes, String, Object> post) {
			this.post = post;
		}

	}

	static class Notes {

		private final RestClient rest;

		private final RestTemplate template;

		private final RestTemplate built;

		private final WebClient web;

		private final DatabaseClient database;

		private final TransactionalOperator transactions;

		@Autowired
		private NotesApi api;

		@Autowired
		private ReactiveNotesApi reactiveApi;

		Notes(RestClient rest, RestTemplate template, RestTemplateBuilder builder, WebClient web,
				DatabaseClient database, TransactionalOperator transactions, Receiver receiver) {
			this.rest = rest;
			this.template = template;
			this.built = builder.requestFactory(() -> receiver).build();
			this.web = web;
			this.database = database;
			this.transactions = transactions;
		}

		@RedLock("note")
		public String byRestClient(String value) {
			return this.rest.post().uri("/notes?text=" + value).retrieve().toBodilessEntity().toString();
		}

		@RedLock("note")
		public Object find(String value) {
			return this.rest.get()
				.uri("/notes?text=" + value)
				.retrieve()
				.onStatus(HttpStatusCode::isError, (request, response) -> {
				})
				.toBodilessEntity();
		}

		@RedLock("note")
		public String byRestTemplate(String value) {
			return String.valueOf(this.template.postForObject("/notes?text=" + value, null, String.class));
		}

		@RedLock("note")
		public String byBuiltRestTemplate(String value) {
			return String.valueOf(this.built.postForObject("/notes?text=" + value, null, String.class));
		}

		@RedLock("note")
		public Mono<String> byWebClient(String value) {
			return this.web.post().uri("/notes?text=" + value).retrieve().bodyToMono(String.class).thenReturn(value);
		}

		@RedLock("note")
		public String byInterface(String value) {
			return this.api.post(value).toString();
		}

		@RedLock("note")
		public Mono<String> byReactiveInterface(String value) {
			return this.reactiveApi.post(value).thenReturn(value);
		}

		@RedLock("note")
		public CompletableFuture<String> inFuture(String value) {
			return CompletableFuture.supplyAsync(
					() -> this.rest.post().uri("/notes?text=" + value).retrieve().toBodilessEntity().toString());
		}

		@RedLock("note")
		public Mono<Long> byR2dbc(String value) {
			return this.database.sql("select text from note").mapValue(String.class).one().then(write(value));
		}

		@RedLock("note")
		public Mono<Long> inTransaction(String value) {
			return write(value).as(this.transactions::transactional);
		}

		private Mono<Long> write(String value) {
			return this.database.sql("update note set text = :text").bind("text", value).fetch().rowsUpdated();
		}

	}

	interface NotesApi {

		@PostExchange("http://notes.test/notes")
		ResponseEntity<Void> post(@RequestParam("text") String text);

	}

	interface ReactiveNotesApi {

		@PostExchange("http://notes.test/notes")
		Mono<Void> post(@RequestParam("text") String text);

	}

	/**
	 * A server that keeps what it gets, and refuses the text "once" the second time.
	 */
	static class Receiver implements ClientHttpRequestFactory {

		private final List<String> received = Collections.synchronizedList(new ArrayList<>());

		void reset() {
			this.received.clear();
		}

		List<String> received() {
			return List.copyOf(this.received);
		}

		HttpStatus receive(URI uri) {
			String text = uri.getQuery().substring("text=".length());
			if (text.equals("once") && this.received.contains(text)) {
				return HttpStatus.CONFLICT;
			}
			this.received.add(text);
			return HttpStatus.OK;
		}

		@Override
		public ClientHttpRequest createRequest(URI uri, HttpMethod method) {
			return new MockClientHttpRequest(method, uri) {

				@Override
				protected ClientHttpResponse executeInternal() throws IOException {
					return new MockClientHttpResponse(new byte[0], receive(uri));
				}

			};
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@ImportHttpServices(NotesApi.class)
	@ImportHttpServices(group = "reactive", types = ReactiveNotesApi.class,
			clientType = HttpServiceGroup.ClientType.WEB_CLIENT)
	static class Application {

		@Bean
		RestClientHttpServiceGroupConfigurer blockingNotes(Receiver receiver) {
			return (groups) -> groups.forEachClient((group, builder) -> builder.requestFactory(receiver));
		}

		@Bean
		WebClientHttpServiceGroupConfigurer reactiveNotes(Receiver receiver) {
			return (groups) -> groups
				.forEachClient((group, builder) -> builder.exchangeFunction((request) -> answer(receiver, request)));
		}

		@Bean
		Receiver receiver() {
			return new Receiver();
		}

		@Bean
		RestClient restClient(Receiver receiver) {
			return RestClient.builder().requestFactory(receiver).baseUrl("http://notes.test").build();
		}

		@Bean
		RestTemplate restTemplate(Receiver receiver) {
			return new RestTemplate((uri, method) -> receiver.createRequest(uri, method)) {

			};
		}

		@Bean
		RestTemplateBuilder restTemplateBuilder() {
			return new RestTemplateBuilder();
		}

		@Bean
		WebClient webClient(Receiver receiver) {
			return WebClient.builder()
				.baseUrl("http://notes.test")
				.exchangeFunction((request) -> answer(receiver, request))
				.build();
		}

		private static Mono<ClientResponse> answer(Receiver receiver, ClientRequest request) {
			return Mono.fromSupplier(() -> ClientResponse.create(receiver.receive(request.url())).build());
		}

		@Bean
		HttpClient httpClient() {
			return HttpClient.newHttpClient();
		}

		@Bean
		SuspendingNotes suspendingNotes(DatabaseClient database) {
			return new SuspendingNotes(database);
		}

		@Bean
		ConnectionFactory connectionFactory() {
			return ConnectionFactories.get("r2dbc:h2:mem:///notes?options=DB_CLOSE_DELAY=-1");
		}

		@Bean
		DatabaseClient databaseClient(ConnectionFactory factory) {
			DatabaseClient client = DatabaseClient.create(factory);
			client.sql("create table note (id int primary key, text varchar(100))").then().block();
			return client;
		}

		@Bean
		Notes notes(RestClient rest, RestTemplate template, RestTemplateBuilder builder, WebClient web,
				DatabaseClient database, ConnectionFactory factory, Receiver receiver) {
			return new Notes(rest, template, builder, web, database,
					TransactionalOperator.create(new R2dbcTransactionManager(factory)), receiver);
		}

	}

}
