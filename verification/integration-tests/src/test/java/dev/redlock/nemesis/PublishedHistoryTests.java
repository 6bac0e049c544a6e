package dev.redlock.nemesis;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * What is published as evidence says what the page says.
 */
class PublishedHistoryTests {

	private static final Path EVIDENCE = Path.of("..", "..", "docs", "project", "evidence");

	@ParameterizedTest
	@ValueSource(strings = { "hour", "defaults-redis8", "defaults-valkey9", "power-cuts" })
	void thePublishedHistoriesHaveThePublishedVerdict(String run) throws Exception {
		Path directory = EVIDENCE.resolve(run);
		Findings findings = Checker.check(EdnReader.read(directory), NemesisSettings.names(), 1);
		assertThat(findings.isClean()).as(findings::toString).isTrue();
		List<String> published = Files.readAllLines(directory.resolve("summary.txt"));
		assertThat(published).contains(row("acquisitions", findings.acquisitions()),
				row("faults", findings.faults().values().stream().mapToInt(Integer::intValue).sum()),
				row("milliseconds until acquired, 99 %", findings.waits().mostMillis()),
				row("lost updates, fence not checked", findings.lostUnchecked()),
				row("claims and writes refused by the fence", findings.refused()));
		assertThat(findings.lostUnchecked() > 0).as("the control: without the fence, stopped clients lose updates")
			.isEqualTo(findings.faults().containsKey(Fault.STOP_CLIENT));
	}

	@Test
	void theScriptSaysThatKnossosIsMissing() throws Exception {
		assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "there is no bash");
		ProcessBuilder script = new ProcessBuilder("/bin/bash", EVIDENCE.resolve("knossos.sh").toString())
			.redirectErrorStream(true);
		script.environment().remove("KNOSSOS");
		Process process = script.start();
		assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
			.startsWith("Knossos is missing: clone https://github.com/jepsen-io/knossos");
		assertThat(process.waitFor()).isEqualTo(2);
	}

	private static String row(String name, int value) {
		return String.format(Locale.ROOT, "%-40s %8d", name, value);
	}

}
