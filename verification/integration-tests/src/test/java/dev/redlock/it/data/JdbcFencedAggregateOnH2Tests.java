package dev.redlock.it.data;

import dev.redlock.it.jpa.Database;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class JdbcFencedAggregateOnH2Tests extends JdbcFencedAggregateContract {

	@Override
	Database start() throws Exception {
		return Database.h2();
	}

}
