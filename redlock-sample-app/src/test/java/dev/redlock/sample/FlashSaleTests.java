package dev.redlock.sample;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;

import com.jayway.jsonpath.JsonPath;
import dev.redlock.LockLostException;
import dev.redlock.sample.shop.Customer;
import dev.redlock.sample.shop.FlashSale;
import dev.redlock.sample.shop.Sale;
import dev.redlock.spring.fencing.StaleFenceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "flash-sale.think-time=2ms", "flash-sale.patience=30s" })
@ExtendWith(OutputCaptureExtension.class)
class FlashSaleTests {

	private static final int BUYERS = 200;

	private static final int UNITS = 50;

	private static final Duration SALE_WITHIN = Duration.ofSeconds(60);

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final String base;

	FlashSaleTests(@Value("${local.server.port}") int port) {
		this.base = "http://localhost:" + port;
	}

	@Test
	void lockedSaleSellsWhatThereIsAndNotOneMore() throws Exception {
		List<Integer> codes = sell("/buy/sneaker");
		String stock = get("/stock/sneaker");
		assertThat(codes).containsOnly(200, 409);
		assertThat(codes).filteredOn((code) -> code == 200).hasSize(UNITS);
		assertThat(number(stock, "units")).isEqualTo(UNITS);
		assertThat(number(stock, "sold")).isEqualTo(UNITS);
		assertThat(number(stock, "left")).isZero();
		assertThat(number(stock, "oversold")).isZero();
	}

	@Test
	void aBuyerWhoseFenceIsBehindThatOfTheStockSellsNothing(@Autowired JdbcClient jdbc) throws Exception {
		assertThat(send(post("/stock/boot?units=1")).statusCode()).isEqualTo(200);
		jdbc.sql("UPDATE stock SET fence = :fence WHERE sku = 'boot'").param("fence", Long.MAX_VALUE - 1).update();
		assertThat(send(post("/buy/boot")).statusCode()).isEqualTo(503);
		assertThat(number(get("/stock/boot"), "sold")).isZero();
	}

	/**
	 * The next buyer has read and not yet written, so no version has changed yet.
	 */
	@Test
	void aLateWriteIsRefusedAsSoonAsTheNextBuyerHasReadTheStock(@Autowired FlashSale sale) throws Exception {
		assertThat(send(post("/stock/clog?units=10")).statusCode()).isEqualTo(200);
		CompletableFuture<Sale> late = buyLate((customer) -> sale.buy("clog", customer));
		assertThat(late).failsWithin(SALE_WITHIN)
			.withThrowableThat()
			.havingRootCause()
			.isInstanceOf(StaleFenceException.class);
		String stock = get("/stock/clog");
		assertThat(number(stock, "sold")).isEqualTo(1);
		assertThat(number(stock, "left")).isEqualTo(9);
	}

	@Test
	void withoutTheFenceTheSameLateWriteGoesThrough(@Autowired FlashSale sale) throws Exception {
		assertThat(send(post("/stock/sandal?units=10")).statusCode()).isEqualTo(200);
		CompletableFuture<Sale> late = buyLate((customer) -> sale.buyUnfenced("sandal", customer));
		assertThat(late).failsWithin(SALE_WITHIN)
			.withThrowableThat()
			.havingRootCause()
			.isInstanceOf(LockLostException.class);
		String stock = get("/stock/sandal");
		assertThat(number(stock, "sold")).isEqualTo(2);
		assertThat(number(stock, "left")).isEqualTo(9);
		assertThat(number(stock, "promisedTooOften")).isEqualTo(1);
	}

	@Test
	void unlockedSaleOversells() throws Exception {
		List<Integer> codes = sell("/buy-unlocked/sneaker");
		String stock = get("/stock/sneaker");
		assertThat(codes).contains(200).isSubsetOf(200, 409);
		assertThat(number(stock, "sold")).isGreaterThan(UNITS);
		assertThat(number(stock, "oversold")).isEqualTo(number(stock, "sold") - UNITS);
	}

	/**
	 * Lets a buyer stand still until its lock has ended and the next buyer has read the
	 * stock. The next buyer writes after the late one.
	 */
	private static CompletableFuture<Sale> buyLate(Function<Customer, Sale> buy) {
		CompletableFuture<Void> hasRead = new CompletableFuture<>();
		CompletableFuture<Void> nextHasRead = new CompletableFuture<>();
		CompletableFuture<Sale> late = CompletableFuture.supplyAsync(() -> buy.apply(() -> {
			hasRead.complete(null);
			nextHasRead.orTimeout(SALE_WITHIN.toSeconds(), TimeUnit.SECONDS).join();
		}));
		hasRead.orTimeout(SALE_WITHIN.toSeconds(), TimeUnit.SECONDS).join();
		buy.apply(() -> {
			nextHasRead.complete(null);
			await().atMost(SALE_WITHIN).until(late::isDone);
		});
		return late;
	}

	private List<Integer> sell(String path) throws Exception {
		assertThat(send(post("/stock/sneaker?units=" + UNITS)).statusCode()).isEqualTo(200);
		List<CompletableFuture<Integer>> purchases = IntStream.range(0, BUYERS)
			.mapToObj((buyer) -> this.client.sendAsync(post(path), HttpResponse.BodyHandlers.discarding())
				.thenApply(HttpResponse::statusCode))
			.toList();
		return purchases.stream().map(CompletableFuture::join).toList();
	}

	private String get(String path) throws Exception {
		return send(HttpRequest.newBuilder(URI.create(this.base + path)).build()).body();
	}

	private HttpRequest post(String path) {
		return HttpRequest.newBuilder(URI.create(this.base + path))
			.timeout(SALE_WITHIN)
			.POST(HttpRequest.BodyPublishers.noBody())
			.build();
	}

	private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
		return this.client.send(request, HttpResponse.BodyHandlers.ofString());
	}

	private static int number(String json, String field) {
		return JsonPath.read(json, "$." + field);
	}

}
