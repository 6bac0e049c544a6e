package dev.redlock.it.jpa;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Tag("slow")
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class FencedVersionOnMariaDbTests extends FencedVersionContract {

	@Override
	Database start() throws Exception {
		return Database.mariaDb();
	}

}
