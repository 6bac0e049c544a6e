package dev.redlock.lettuce.internal.connection;

import dev.redlock.lettuce.internal.facts.ServerFacts;
import dev.redlock.lettuce.internal.restart.DataHistory;
import org.jspecify.annotations.Nullable;

/**
 * What the servers of a node answered to a check.
 *
 * @param history what clients have stored about losses of data, null if this was not read
 * @param silentBecause why the servers cannot announce releases, or null if they can
 */
public record ServerReport(ServerFacts facts, @Nullable DataHistory history, @Nullable String silentBecause) {

}
