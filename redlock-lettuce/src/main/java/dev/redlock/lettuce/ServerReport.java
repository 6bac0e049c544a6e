package dev.redlock.lettuce;

import org.jspecify.annotations.Nullable;

/**
 * The answers of the servers of a node to a check.
 *
 * @param facts the facts about the servers
 * @param history the history of the servers' data, or null without the restart guard
 * @param silentBecause why releases cannot be announced, or null if releases can be
 * announced
 */
record ServerReport(ServerFacts facts, @Nullable DataHistory history, @Nullable String silentBecause) {

}
