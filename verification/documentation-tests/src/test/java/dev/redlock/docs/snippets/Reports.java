package dev.redlock.docs.snippets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.YearMonth;

import dev.redlock.spring.annotation.RedLock;

import org.springframework.stereotype.Service;

// region: readme-lock
@Service
class Reports {

	@RedLock(resource = "report:#{#month}", ttl = "10s")
	public void write(YearMonth month) throws IOException {
		Files.writeString(Path.of("report-" + month + ".txt"), "written by one process at a time");
	}

}
// endregion
