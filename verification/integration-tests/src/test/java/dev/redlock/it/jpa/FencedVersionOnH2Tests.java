package dev.redlock.it.jpa;

import org.junit.jupiter.api.Tag;

@Tag("slow")
class FencedVersionOnH2Tests extends FencedVersionContract {

	@Override
	Database start() throws Exception {
		return Database.h2();
	}

}
