package dev.redlock.it.data;

import dev.redlock.it.jpa.Database;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class R2dbcFencedAggregateOnH2Tests extends R2dbcFencedAggregateContract {

	@Override
	Database start() throws Exception {
		return Database.h2();
	}

}
