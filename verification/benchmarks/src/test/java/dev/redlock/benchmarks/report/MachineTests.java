package dev.redlock.benchmarks.report;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MachineTests {

	@Test
	void versionsAreReadFromTheNamesOfJars() {
		assertThat(Machine.version("jar:nested:/x/app-1.0.jar/!BOOT-INF/lib/lettuce-core-7.5.2.RELEASE.jar!/"))
			.isEqualTo("7.5.2.RELEASE");
		assertThat(Machine.version("file:/x/redisson-4.7.0.jar")).isEqualTo("4.7.0");
		assertThat(Machine.version("file:/x/target/classes/")).isEqualTo("unknown");
	}

	@Test
	void kernelsAreNamedByTheirNumberOnly() {
		assertThat(Machine.release("6.1.0-18-cloud-amd64")).isEqualTo("6.1.0");
		assertThat(Machine.release("14.5")).isEqualTo("14.5");
	}

	@Test
	void everyMachineCanBeDescribed() {
		assertThat(Machine.describe("7.0.15")).containsEntry("Redis", "7.0.15")
			.containsKeys("processor", "memory", "system", "JDK", "Lettuce");
	}

}
