package dev.redlock.docs.snippets;

import java.util.concurrent.CompletableFuture;

import dev.redlock.Lease;
import dev.redlock.LockRequest;
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
@SpringBootTest(classes = { SnippetApplication.class, AnnotatedShop.class },
		properties = "redlock.jobs.require-scheduling=false")
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
		assertThat(this.shop.runs()).isEqualTo(before + 2 + 1);
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
	void theFirstLockDoesWhatThePageSays(@Autowired Checkout checkout, @Autowired RecordedPayments payments,
			@Autowired JdbcTemplate jdbc) {
		jdbc.execute("create table orders (id bigint primary key, state varchar(20), fence bigint)");
		jdbc.update("insert into orders values (1, 'OPEN', 0)");
		checkout.pay(1);
		checkout.pay(1);
		assertThat(payments.charged()).containsExactly(1L);
	}

}
