package dev.redlock.spring.interceptor;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.redlock.CurrentLease;
import dev.redlock.LockWorld;
import dev.redlock.Redlock;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Loads everything anew from a class path that really lacks a library: a class loader
 * that only hides it would still share our classes with the one that has it.
 */
class OptionalLibrariesTests {

	@ParameterizedTest
	@ValueSource(strings = { "spring-tx-.*", "aspectj.*", "(reactor|reactive-streams|rxjava|kotlin).*", "spring-web.*",
			"(spring-tx|aspectj|reactor-core|reactive-streams|spring-web).*" })
	void annotationAndTemplateWorkWithout(String libraries) throws Exception {
		Pattern missing = Pattern.compile(libraries);
		URL[] urls = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !missing.matcher(Path.of(entry).getFileName().toString()).matches())
			.map(OptionalLibrariesTests::url)
			.toArray(URL[]::new);
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
			thread.setContextClassLoader(loader);
			Callable<?> application = (Callable<?>) loader.loadClass(Application.class.getName())
				.getConstructor()
				.newInstance();
			List<String> gone = List.of("org.springframework.transaction.TransactionManager",
					"org.aspectj.lang.JoinPoint", "reactor.core.publisher.Mono",
					"org.springframework.web.context.request.async.WebAsyncManager");
			assertThat(gone).anyMatch((type) -> !ClassUtils.isPresent(type, loader));
			assertThat(application.call()).isEqualTo("[job] [template]");
		}
		finally {
			thread.setContextClassLoader(before);
		}
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
	 * Public, and known to the test by its name only.
	 */
	public static class Application implements Callable<String> {

		@Override
		public String call() {
			LockWorld world = new LockWorld();
			RedLockTemplate template = new RedLockTemplate(world.redlock, Runnable::run);
			try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
				context.registerBean(Redlock.class, () -> world.redlock);
				context.registerBean(RedLockTemplate.class, () -> template);
				context.registerBean(Job.class, Job::new);
				context.register(RedLockConfiguration.class);
				context.refresh();
				return context.getBean(Job.class).run() + " "
						+ template.execute(world.now("template"), (lease) -> lease.resources().toString());
			}
		}

	}

	public static class Job {

		@RedLock("job")
		public String run() {
			return CurrentLease.require().resources().toString();
		}

	}

}
