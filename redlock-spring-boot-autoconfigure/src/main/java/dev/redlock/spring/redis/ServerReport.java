package dev.redlock.spring.redis;

import org.jspecify.annotations.Nullable;

/**
 * What the servers of a node have answered to a check.
 *
 * @param facts what the servers say of themselves
 * @param history what is known of their data, or null without the restart guard
 * @param missing what their user may not do
 */
record ServerReport(ServerFacts facts, @Nullable DataHistory history, MissingRights missing) {

}
