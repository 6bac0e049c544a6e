package dev.redlock.docs.snippets;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
import dev.redlock.spring.interceptor.ResourceNameResolver;
import dev.redlock.spring.template.RedLockTemplate;
import dev.redlock.test.EmbeddedRedlock;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs what the pages show of the annotation.
 */
@SpringBootTest(classes = SnippetApplication.class)
@EmbeddedRedlock
class AnnotatedShopTests {

	@Autowired
	private AnnotatedShop shop;

	@Autowired
	private RedLockTemplate template;

	@Test
	void everyLockedMethodRuns() throws Exception {
		int before = this.shop.runs();
		this.shop.sell("book", 2);
		this.shop.transfer("a", "b");
		this.shop.order("book", 3);
		this.shop.count("book");
		this.shop.importAll();
		assertThat(this.shop.runs()).isEqualTo(before + 2 + 1 + 3 + 1 + 3);
		assertThat(this.shop.sellLater("book").get()).isEqualTo(this.shop.runs());
		assertThat(this.shop.fenceOf("book")).isLessThan(this.shop.sellReactively("book").block(Duration.ofSeconds(5)));
	}

	@Test
	@SuppressWarnings("try")
	void whoFindsAReportTakenIsToldByWhom() throws Exception {
		assertThat(this.shop.report("may")).isEqualTo("report of may");
		try (Lease lease = this.template.acquire(LockRequest.of("report:june"))) {
			assertThat(CompletableFuture.supplyAsync(() -> this.shop.report("june")).get())
				.contains("is being written by");
		}
	}

	@Test
	void aJobRunsOnceWithinItsTime() {
		int before = this.shop.runs();
		this.shop.nightRun();
		this.shop.nightRun();
		assertThat(this.shop.runs()).isEqualTo(before + 1);
	}

	@Test
	void firstLockAndFencedWriteDoWhatThePageSays(@Autowired Checkout checkout, @Autowired RecordedPayments payments,
			@Autowired Orders orders, @Autowired JdbcTemplate jdbc) {
		jdbc.execute("create table orders (id bigint primary key, state varchar(20), fence bigint)");
		jdbc.update("insert into orders values (1, 'OPEN', 0)");
		checkout.pay(1);
		checkout.pay(1);
		assertThat(payments.charged()).containsExactly(1L);
		orders.ship(1);
		assertThat(jdbc.queryForObject("select state from orders where id = 1", String.class)).isEqualTo("SHIPPED");
		assertThat(jdbc.queryForObject("select fence from orders where id = 1", Long.class)).isPositive();
	}

	@Test
	void aResolverPutsTheTenantInFront() throws Exception {
		ResourceNameResolver resolver = new TenantNames().tenantInFront(() -> "acme");
		assertThat(resolver.resolve(
				new ResourceNameResolver.Call(Object.class.getMethod("toString"), null, List.of(), List.of("stock:1"))))
			.containsExactly("acme:stock:1");
	}

}
