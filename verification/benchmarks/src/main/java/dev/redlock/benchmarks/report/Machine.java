package dev.redlock.benchmarks.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.sun.management.OperatingSystemMXBean;
import dev.redlock.Redlock;
import io.lettuce.core.RedisClient;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.redisson.Redisson;

import org.springframework.boot.SpringApplication;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

/**
 * On what a run was made, without anything that names the machine.
 */
public final class Machine {

	private static final Map<String, Class<?>> LIBRARIES = libraries();

	private static final Pattern VERSION = Pattern.compile("-(\\d[^/!]*?)\\.jar");

	private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

	private static final Path DISTRIBUTION = Path.of("/etc/os-release");

	private static final String UNKNOWN = "unknown";

	private static final double GIB = 1L << 30;

	private Machine() {
	}

	/**
	 * Describes the machine and the versions.
	 * @param redisVersion the version of the servers
	 * @return what there is to know, by its name
	 */
	public static Map<String, String> describe(String redisVersion) {
		Map<String, String> facts = new LinkedHashMap<>();
		OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
		facts.put("processor", processor() + ", " + system.getAvailableProcessors() + " cores");
		facts.put("memory", Math.round(system.getTotalMemorySize() / GIB) + " GiB");
		facts.put("system", distribution() + ", " + system.getName() + " " + release(system.getVersion()) + ", "
				+ system.getArch());
		facts.put("load before the run", Format.number(system.getSystemLoadAverage()));
		facts.put("JDK", Runtime.version() + " (" + System.getProperty("java.vm.name") + ")");
		facts.put("Redis", redisVersion);
		LIBRARIES.forEach((name, type) -> facts.put(name, version(type)));
		return facts;
	}

	static String version(String location) {
		Matcher matcher = VERSION.matcher(location);
		String version = UNKNOWN;
		// The last one: a nested jar is inside of another.
		while (matcher.find()) {
			version = matcher.group(1);
		}
		return version;
	}

	private static Map<String, Class<?>> libraries() {
		Map<String, Class<?>> libraries = new LinkedHashMap<>();
		libraries.put("this library", Redlock.class);
		libraries.put("Lettuce", RedisClient.class);
		libraries.put("Spring Boot", SpringApplication.class);
		libraries.put("Spring Data Redis", RedisConnectionFactory.class);
		libraries.put("Redisson", Redisson.class);
		libraries.put("Spring Integration", RedisLockRegistry.class);
		libraries.put("ShedLock", RedisLockProvider.class);
		return libraries;
	}

	private static String version(Class<?> type) {
		CodeSource source = type.getProtectionDomain().getCodeSource();
		return (source != null && source.getLocation() != null) ? version(source.getLocation().toString()) : UNKNOWN;
	}

	/**
	 * Without what whoever built the kernel added to its number.
	 */
	static String release(String version) {
		return version.replaceFirst("[^\\d.].*", "");
	}

	private static String processor() {
		return line(CPU_INFO, "model name").replaceFirst("^[^:]*:\\s*", "");
	}

	private static String distribution() {
		return line(DISTRIBUTION, "PRETTY_NAME=").replaceFirst("^[^=]*=", "").replace("\"", "");
	}

	private static String line(Path file, String start) {
		if (!Files.isReadable(file)) {
			return UNKNOWN;
		}
		try (Stream<String> lines = Files.lines(file)) {
			return lines.filter((line) -> line.startsWith(start)).findFirst().orElse(UNKNOWN);
		}
		catch (IOException ex) {
			return UNKNOWN;
		}
	}

}
