package dev.redlock.benchmarks.scenario;

import java.lang.management.ManagementFactory;
import java.util.Arrays;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * An application that starts, says how long that took since its JVM was started and how
 * much processor time, and ends. It knows nothing of this library, which may not be on
 * its class path; with {@code lock} as its first argument it takes a lock as well.
 */
final class StartUpChild {

	static final String LOCK = "lock";

	private StartUpChild() {
	}

	public static void main(String[] args) {
		boolean lock = args.length > 0 && args[0].equals(LOCK);
		String[] properties = Arrays.copyOfRange(args, 1, args.length);
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.logStartupInfo(false)
			.properties(properties)
			.run();
		long started = sinceJvmStarted();
		long cpu = cpuMillis();
		if (lock) {
			FirstLock.take(context);
		}
		System.out.println(started + " " + cpu + " " + sinceJvmStarted());
		System.exit(0);
	}

	private static long sinceJvmStarted() {
		return System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
	}

	private static long cpuMillis() {
		return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
			.getProcessCpuTime() / 1_000_000;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
