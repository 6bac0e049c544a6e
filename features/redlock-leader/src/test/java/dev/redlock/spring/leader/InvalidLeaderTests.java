package dev.redlock.spring.leader;

import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.RedlockSettings;
import dev.redlock.spring.autoconfigure.RedlockAnnotationAutoConfiguration;
import dev.redlock.spring.interceptor.InvalidRedLockException;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

class InvalidLeaderTests {

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|', textBlock = """
			Nameless           | resource    | name of the role is blank     | Name the role after
			NameOfTheCall      | resource    | contains an expression        | Write the name as plain text
			UnknownPlaceholder | resource    | ${no.such.role}               | Define the property
			AlsoALock          | place       | two annotations that lock     | move one to a method of another bean
			LateResult         | return type | after the method has returned | inside of the deferred work
			RoleIsALock        | resource    | is a role                     | another name
			""")
	void mistakeKeepsTheApplicationFromStarting(String bean, String attribute, String problem, String action)
			throws ClassNotFoundException {
		Class<?> type = ClassUtils.forName(LeaderMistakes.class.getName() + "$" + bean, getClass().getClassLoader());
		runner(RedlockSettings.DEFAULTS).withBean(type).run((context) -> {
			assertThat(context).hasFailed();
			InvalidRedLockException failure = invalid(context.getStartupFailure());
			assertThat(failure.description()).contains(attribute, problem);
			assertThat(failure.action()).contains(action);
		});
	}

	@Test
	void rolesNeedFences() {
		runner(RedlockSettings.builder().fencing(false).build()).withBean(LeaderMistakes.Fine.class).run((context) -> {
			InvalidRedLockException failure = invalid(context.getStartupFailure());
			assertThat(failure.description()).contains("@LeaderOnly", "no term", "fencing is disabled");
			assertThat(failure.action()).contains("redlock.fencing.enabled=true");
		});
	}

	@Test
	void theTtlOfALeaderFitsTheSettings() {
		runner(RedlockSettings.DEFAULTS).withBean(LeaderMistakes.Fine.class)
			.withPropertyValues("redlock.leader.ttl=2m")
			.run((context) -> {
				InvalidRedLockException failure = invalid(context.getStartupFailure());
				assertThat(failure.description()).contains("120000 ms");
				assertThat(failure.action()).contains("redlock.leader.ttl");
			});
	}

	private static ApplicationContextRunner runner(RedlockSettings settings) {
		LockWorld world = new LockWorld(settings);
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RedlockAnnotationAutoConfiguration.class,
					RedlockLeaderAutoConfiguration.class))
			.withBean(Redlock.class, () -> world.redlock, (definition) -> definition.setDestroyMethodName(""))
			.withBean(RedLockTemplate.class, () -> new RedLockTemplate(world.redlock, Runnable::run));
	}

	private static InvalidRedLockException invalid(Throwable failure) {
		Throwable cause = failure;
		while (cause != null && !(cause instanceof InvalidRedLockException)) {
			cause = cause.getCause();
		}
		assertThat(cause).as("an InvalidRedLockException in %s", failure).isNotNull();
		return (InvalidRedLockException) cause;
	}

}
