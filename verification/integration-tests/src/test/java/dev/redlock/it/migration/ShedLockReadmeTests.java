package dev.redlock.it.migration;

import java.util.concurrent.atomic.AtomicInteger;

import dev.redlock.test.EmbeddedRedlock;
import net.javacrumbs.shedlock.core.LockAssert;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A job as the first example of ShedLock's documentation has it, with a
 * {@code lockAtLeastFor} that is far above {@code redlock.max-ttl}.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE)
@EmbeddedRedlock(nodes = 3)
class ShedLockReadmeTests {

	@Test
	void theFirstExampleOfShedLockRunsUnchanged(@Autowired Report report) {
		report.everyQuarterOfAnHour();
		report.everyQuarterOfAnHour();
		assertThat(report.runs()).as("kept for 14 minutes").isEqualTo(1);
	}

	static class Report {

		private final AtomicInteger runs = new AtomicInteger();

		@Scheduled(cron = "0 */15 * * * *")
		@SchedulerLock(name = "report", lockAtLeastFor = "14m", lockAtMostFor = "14m")
		public void everyQuarterOfAnHour() {
			LockAssert.assertLocked();
			this.runs.incrementAndGet();
		}

		public int runs() {
			return this.runs.get();
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableSchedulerLock(defaultLockAtMostFor = "10m")
	@Import(Report.class)
	static class Application {

	}

}
