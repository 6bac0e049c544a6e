package dev.redlock.sample.demo;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import dev.redlock.sample.SampleApplication;
import dev.redlock.spring.autoconfigure.RedlockConnectionDetails;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.system.ApplicationHome;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.stereotype.Component;

/**
 * Starts this application in a second JVM, without the page, with the same nodes and the
 * same stock.
 */
@Component
@FirstJvm
final class SecondJvmLauncher {

	private final StockServer stock;

	private final ObjectProvider<RedlockConnectionDetails> nodes;

	private final Environment environment;

	private final ApplicationArguments arguments;

	private final JsonMapper json;

	SecondJvmLauncher(StockServer stock, ObjectProvider<RedlockConnectionDetails> nodes, Environment environment,
			ApplicationArguments arguments, JsonMapper json) {
		this.stock = stock;
		this.nodes = nodes;
		this.environment = environment;
		this.arguments = arguments;
		this.json = json;
	}

	JvmProcess launch(Consumer<String> lines, Runnable ended) {
		return JvmProcess.start(command(), environment(), lines, ended);
	}

	private List<String> command() {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"));
		String classPath = System.getProperty("java.class.path");
		File source = new ApplicationHome(SampleApplication.class).getSource();
		boolean inOneJar = source != null && source.isFile() && !classPath.contains(File.pathSeparator);
		command.addAll(
				inOneJar ? List.of("-jar", classPath) : List.of("-cp", classPath, SampleApplication.class.getName()));
		command.addAll(List.of(this.arguments.getSourceArgs()));
		command.add("--spring.profiles.active=second-jvm");
		return command;
	}

	/**
	 * The properties are in the environment, because all users of this machine can read
	 * the command line.
	 */
	private Map<String, String> environment() {
		Map<String, Object> properties = new LinkedHashMap<>(this.stock.properties());
		this.nodes.ifAvailable((details) -> details.getNodes().forEach((name, node) -> {
			if (node.server() instanceof RedisStandaloneConfiguration server) {
				properties.put("redlock.instances." + name + ".host", server.getHostName());
				properties.put("redlock.instances." + name + ".port", server.getPort());
			}
		}));
		for (String name : List.of("flash-sale.think-time", "flash-sale.patience")) {
			properties.put(name, this.environment.getRequiredProperty(name));
		}
		return Map.of("SPRING_APPLICATION_JSON", this.json.writeValueAsString(properties));
	}

}
