package dev.redlock.it.data;

import dev.redlock.it.jpa.Database;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class JdbcFencedAggregateOnPostgresTests extends JdbcFencedAggregateContract {

	@Override
	Database start() throws Exception {
		return Database.postgres();
	}

}
