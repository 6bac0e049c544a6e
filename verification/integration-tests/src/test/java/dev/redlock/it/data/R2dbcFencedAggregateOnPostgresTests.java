package dev.redlock.it.data;

import dev.redlock.it.jpa.Database;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class R2dbcFencedAggregateOnPostgresTests extends R2dbcFencedAggregateContract {

	@Override
	Database start() throws Exception {
		return Database.postgres();
	}

}
