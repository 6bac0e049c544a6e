package dev.redlock.it.data;

import dev.redlock.it.jpa.Database;

class JdbcFencedAggregateOnH2Tests extends JdbcFencedAggregateContract {

	@Override
	Database start() throws Exception {
		return Database.h2();
	}

}
