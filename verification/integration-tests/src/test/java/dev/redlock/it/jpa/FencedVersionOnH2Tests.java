package dev.redlock.it.jpa;

class FencedVersionOnH2Tests extends FencedVersionContract {

	@Override
	Database start() throws Exception {
		return Database.h2();
	}

}
