package dev.redlock.spring.job.history;

import dev.redlock.it.jpa.Database;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Tag("slow")
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class JobHistoryOnMariaDbTests extends JobHistoryContract {

	@Override
	Database database() throws Exception {
		return Database.mariaDb();
	}

}
