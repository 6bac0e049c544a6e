package dev.redlock.test.lateholder

import dev.redlock.spring.annotation.RedLock
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.runBlocking
import org.springframework.r2dbc.core.DatabaseClient

/**
 * A bean with a suspending function that is locked.
 */
open class SuspendingNotes(private val database: DatabaseClient) {

	@RedLock("note")
	open suspend fun write(text: String): Long =
		this.database.sql("update note set text = :text").bind("text", text).fetch().rowsUpdated().awaitSingle()

	companion object {

		@JvmStatic
		fun verify(lateHolder: LateHolder, notes: SuspendingNotes, invariant: Runnable) {
			lateHolder.given { }.call { runBlocking { notes.write("mine") } }
				.rival { runBlocking { notes.write("of the rival") } }
				.verify { invariant.run() }
		}

	}

}
