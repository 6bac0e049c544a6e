package dev.redlock.lettuce;

import org.jspecify.annotations.Nullable;

/**
 * The answers of the servers of a node to a check.
 *
 * @param facts the facts about the servers
 * @param history the history of their data, or null without the restart guard
 * @param missing the rights that the user lacks
 */
record ServerReport(ServerFacts facts, @Nullable DataHistory history, MissingRights missing) {

}
