package dev.redlock.spring.job.history;

import dev.redlock.it.jpa.Database;

class JobHistoryOnH2Tests extends JobHistoryContract {

	@Override
	Database database() throws Exception {
		return Database.h2();
	}

}
