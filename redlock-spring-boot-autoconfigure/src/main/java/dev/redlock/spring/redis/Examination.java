package dev.redlock.spring.redis;

import org.jspecify.annotations.Nullable;

/**
 * What came out of a check.
 *
 * @param facts what the servers say of themselves
 * @param sighting what is known of their data, or null where nobody asks
 * @param missing what their user may not do
 * @param serverMicros what the clock said, or 0 where each answer tells it
 */
record Examination(ServerFacts facts, @Nullable Sighting sighting, MissingRights missing, long serverMicros) {

}
