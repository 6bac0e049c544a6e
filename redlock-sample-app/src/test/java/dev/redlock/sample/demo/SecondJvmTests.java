package dev.redlock.sample.demo;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.redlock.sample.demo.SecondJvm.State;
import dev.redlock.sample.shop.Stock;
import dev.redlock.sample.shop.StockBooks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Starts real JVMs. What is lost when one is killed with its parent is in
 * {@link OrphanTests}.
 */
@Tag("slow")
@Timeout(400)
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE, properties = "flash-sale.think-time=10ms")
class SecondJvmTests {

	private static final Duration LONG = Duration.ofSeconds(180);

	private static final int UNITS = 100;

	@Autowired
	private SecondJvm secondJvm;

	@Autowired
	private Buyers buyers;

	@Autowired
	private StockBooks books;

	@Autowired
	private Heard heard;

	@AfterEach
	void end() {
		this.buyers.stop();
		this.secondJvm.close();
	}

	@Test
	void bothSellFromOneStockUnderOneLockAndNotOneUnitTwiceAndTheSecondEndsWhenItIsClosed() {
		this.secondJvm.open();
		await().atMost(LONG).until(() -> this.secondJvm.state() == State.RUNNING);
		this.books.reset(Buyers.ARTICLE, UNITS);
		this.secondJvm.start(Protection.LOCK_AND_FENCE, 3);
		assertThat(this.secondJvm.isBuying()).isTrue();
		await().atMost(LONG).until(() -> this.heard.sellers.contains("JVM 2"));
		this.buyers.start(Protection.LOCK_AND_FENCE, 3);
		await().atMost(LONG).until(() -> !this.buyers.isBuying() && !this.secondJvm.isBuying());
		assertThat(this.books.find(Buyers.ARTICLE)).isEqualTo(new Stock(Buyers.ARTICLE, UNITS, 0, UNITS));
		assertThat(this.heard.sellers).containsExactlyInAnyOrder("JVM 1", "JVM 2");
		List<ProcessHandle> children = ProcessHandle.current().children().toList();
		this.secondJvm.close();
		await().atMost(LONG).until(() -> this.secondJvm.state() == State.OFF);
		assertThat(children).anyMatch((child) -> !child.isAlive());
	}

	/**
	 * Who has sold something.
	 */
	static final class Heard implements TurnListener {

		private final Set<String> sellers = ConcurrentHashMap.newKeySet();

		@Override
		public void turnChanged(Turn turn) {
			if (turn.phase() == Turn.Phase.SOLD) {
				this.sellers.add(turn.jvm());
			}
		}

	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Ears {

		@Bean
		@Primary
		Heard heard() {
			return new Heard();
		}

	}

}
