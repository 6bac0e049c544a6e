package dev.redlock.it.jpa;

import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class FencedVersionOnPostgresTests extends FencedVersionContract {

	@Override
	Database start() throws Exception {
		return Database.postgres();
	}

}
