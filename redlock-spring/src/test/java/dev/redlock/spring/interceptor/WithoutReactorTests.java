package dev.redlock.spring.interceptor;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;

import dev.redlock.CurrentLease;
import dev.redlock.LockWorld;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.template.RedLockOperations;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The annotation in a Java machine that really has neither Reactor nor Kotlin.
 */
class WithoutReactorTests {

	@Test
	void blockingAndFutureMethodsAreLockedWithoutReactorAndKotlin() throws Exception {
		try (URLClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
			assertThatExceptionOfType(ClassNotFoundException.class)
				.isThrownBy(() -> loader.loadClass("reactor.core.publisher.Mono"));
			Thread.currentThread().setContextClassLoader(loader);
			Object answer = ((Callable<?>) loader.loadClass(Application.class.getName())
				.getDeclaredConstructor()
				.newInstance()).call();
			assertThat(answer).isEqualTo("[job]");
		}
		finally {
			Thread.currentThread().setContextClassLoader(getClass().getClassLoader());
		}
	}

	private static URL[] classPath() {
		String own = System.getProperty("java.class.path");
		String[] entries = System.getProperty("surefire.test.class.path", own)
			.split(System.getProperty("path.separator"));
		return Arrays.stream(entries)
			.filter((entry) -> !entry.matches(".*(reactor|reactive-streams|rxjava|kotlin).*\\.jar"))
			.map(WithoutReactorTests::url)
			.toArray(URL[]::new);
	}

	private static URL url(String entry) {
		try {
			return Path.of(entry).toUri().toURL();
		}
		catch (MalformedURLException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

	/**
	 * Runs inside of the other class loader.
	 */
	public static class Application implements Callable<String> {

		@Override
		public String call() {
			LockWorld world = new LockWorld();
			try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
				context.registerBean(RedLockOperations.class, () -> new RedLockTemplate(world.redlock, Runnable::run));
				context.register(RedLockConfiguration.class);
				context.registerBeanDefinition("job", new RootBeanDefinition(Job.class));
				context.refresh();
				return context.getBean(Job.class).resources();
			}
		}

	}

	public static class Job {

		@RedLock("job")
		public String resources() {
			return CurrentLease.require().resources().toString();
		}

	}

}
