package dev.redlock.it.data;

import dev.redlock.it.jpa.Database;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Tag("slow")
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class JdbcFencedAggregateOnMariaDbTests extends JdbcFencedAggregateContract {

	@Override
	Database start() throws Exception {
		return Database.mariaDb();
	}

}
