package dev.redlock.docs.snippets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.YearMonth;

import dev.redlock.test.lateholder.AutoConfigureLateHolder;
import dev.redlock.test.lateholder.LateHolder;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.aop.Advisor;
import org.springframework.aop.support.NameMatchMethodPointcutAdvisor;
import org.springframework.aop.support.RootClassFilter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page about late writes shows what the late-holder test prints for the example of
 * the first page.
 */
@SpringBootTest(classes = { SnippetApplication.class, Reports.class })
@Import(LateWritesPageTests.Steps.class)
@AutoConfigureLateHolder
@ExtendWith(OutputCaptureExtension.class)
class LateWritesPageTests {

	private static final Path REPORT = Path.of("report-2026-11.txt");

	@Autowired
	Reports reports;

	@Autowired
	LateHolder lateHolder;

	@AfterEach
	void deleteReport() throws IOException {
		Files.deleteIfExists(REPORT);
	}

	@Test
	void theTableOfTheFirstPageIsPrinted(CapturedOutput output) throws IOException {
		this.lateHolder.given(this::deleteReport)
			.call(() -> this.reports.write(YearMonth.of(2026, 11)))
			.verify(() -> assertThat(REPORT).hasContent("written by one process at a time"));
		String page = Files.readString(Path.of("../../docs/late-writes.md"));
		String table = page.substring(page.indexOf("## Does your own")).split("```")[1].strip();
		assertThat(output).contains(table);
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Steps {

		/** A file is not watched, so its write becomes a step here. */
		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static Advisor stepOfReports(ObjectProvider<LateHolder> lateHolder) {
			NameMatchMethodPointcutAdvisor advisor = new NameMatchMethodPointcutAdvisor((MethodInterceptor) (call) -> {
				lateHolder.getObject().step("write the file");
				return call.proceed();
			});
			advisor.setMappedName("write");
			advisor.setClassFilter(new RootClassFilter(Reports.class));
			return advisor;
		}

	}

}
