package dev.redlock.it.aot;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import dev.redlock.it.ChildProcess;
import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplicationAotProcessor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@code process-aot} of the Boot plugins makes of an application with locks, by the
 * program that they run; and the application that comes of it. No server runs meanwhile,
 * the property in the name of a lock has no value yet, and locks are turned off.
 */
@Tag("slow")
class AotTests {

	@TempDir
	static Path directory;

	@BeforeAll
	static void processAheadOfTime() throws Exception {
		try (ChildProcess child = ChildProcess.start(List.of("-cp", ChildProcess.classPath()),
				SpringApplicationAotProcessor.class, AotApplication.class.getName(), path("sources"), path("resources"),
				path("classes"), "dev.redlock", "aot-test", "--redlock.instances.a.host=127.0.0.1",
				"--redlock.instances.a.port=1", "--redlock.enabled=false")) {
			assertThat(child.awaitEnd()).as("see %s", child.output()).isZero();
		}
		compile();
	}

	@Test
	void theProcessedApplicationTakesItsLocksAlthoughTheyWereTurnedOffMeanwhile() throws InterruptedException {
		try (RedisNodes nodes = RedisNodes.start(3)) {
			List<String> arguments = new ArrayList<>(
					List.of("--shelf.name=top", "--redlock.restart-guard.enabled=false"));
			for (RedisNode node : nodes.asList()) {
				arguments.add("--redlock.instances." + node.name() + ".host=" + node.host());
				arguments.add("--redlock.instances." + node.name() + ".port=" + node.port());
			}
			String classPath = String.join(File.pathSeparator, path("classes"), path("resources"),
					ChildProcess.classPath());
			try (ChildProcess child = ChildProcess.start(List.of("-Dspring.aot.enabled=true", "-cp", classPath),
					AotApplication.class, arguments.toArray(String[]::new))) {
				assertThat(child.await("nodes:")).isEqualTo("nodes: 3");
				assertThat(child.await("proxied:")).isEqualTo("proxied: true");
				assertThat(child.await("taken:")).isEqualTo("taken: [top:42] true");
				assertThat(child.await("counted:")).isEqualTo("counted: [zone-7]");
				assertThat(child.await("nested:")).isEqualTo("nested: fallback");
				assertThat(child.awaitEnd()).isZero();
			}
		}
	}

	@Test
	void aNativeImageIsToldWhatIsDoneByReflection() throws IOException {
		String hints;
		try (Stream<Path> files = Files.walk(directory.resolve("resources"))) {
			hints = Files.readString(
					files.filter((file) -> file.endsWith("reachability-metadata.json")).findFirst().orElseThrow());
		}
		assertThat(hints)
			.contains("dev.redlock.spring.annotation.RedLock\"", "AotApplication$ShelfLock\"", "AotApplication$Item\"",
					"AotApplication$Zones\"", "AotApplication$Shelf$$SpringCGLIB$$",
					"dev.redlock.spring.internal.expression.ExpressionRoot\"",
					"dev.redlock.spring.autoconfigure.internal.settings.RedlockInstance\"", "\"instead\"")
			.as("the members of a bean in an expression")
			.containsPattern("AotApplication\\$Zones\"[^{}]*allPublicMethods");
	}

	private static void compile() throws IOException {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
				Stream<Path> sources = Files.walk(directory.resolve("sources"))) {
			List<Path> files = sources.filter((file) -> file.toString().endsWith(".java")).toList();
			assertThat(files).isNotEmpty();
			assertThat(
					compiler
						.getTask(null, manager, null,
								List.of("-proc:none", "-parameters", "-nowarn", "-d", path("classes"), "-cp",
										path("classes") + File.pathSeparator + ChildProcess.classPath()),
								null, manager.getJavaFileObjectsFromPaths(files))
						.call())
				.isTrue();
		}
	}

	private static String path(String name) {
		return directory.resolve(name).toString();
	}

}
