package dev.redlock.spring.autoconfigure;

import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.data.repository.CrudRepository;

import static org.assertj.core.api.Assertions.assertThat;

class InvalidRedLockAnalysisTests {

	private final LockWorld world = new LockWorld();

	@Test
	void analysisSaysWhatIsWrongAndWhatToWrite() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RedlockAnnotationAutoConfiguration.class))
			.withBean(Redlock.class, () -> this.world.redlock)
			.withBean(RedLockTemplate.class, () -> new RedLockTemplate(this.world.redlock, Runnable::run))
			.withBean(Blank.class)
			.run((context) -> {
				FailureAnalysis analysis = new RedlockFailureAnalyzer(null).analyze(context.getStartupFailure());
				assertThat(analysis.getDescription()).isEqualTo("The @RedLock on " + Blank.class.getName()
						+ ".sell() is wrong in its resource: the name is blank.");
				assertThat(analysis.getAction()).isEqualTo("Name what is locked, as in resource = \"stock:#{#sku}\".");
			});
	}

	@Test
	void aMissingRepositoryIsExplainedBySpringBoot() {
		assertThat(new RedlockFailureAnalyzer(null).analyze(new NoSuchBeanDefinitionException(Orders.class))).isNull();
	}

	@Test
	void analyzerIsRegistered() {
		assertThat(SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, (type, name, failure) -> assertThat(name).startsWith("org.springframework")))
			.hasAtLeastOneElementOfType(RedlockFailureAnalyzer.class);
	}

	interface Orders extends CrudRepository<Object, Long> {

	}

	static class Blank {

		@RedLock(" ")
		public void sell() {
		}

	}

}
