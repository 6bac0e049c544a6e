package dev.redlock.it.data;

import dev.redlock.it.jpa.Database;

class R2dbcFencedAggregateOnH2Tests extends R2dbcFencedAggregateContract {

	@Override
	Database start() throws Exception {
		return Database.h2();
	}

}
