/**
 * Steps of server clocks, and pauses of this process. {@code ClockWatch} compares the
 * clock of one server with the monotonic clock of this process. {@code NodeClocks} has
 * the clocks of one node, {@code PauseDetector} asks all nodes when a clock seems to
 * step, and {@code Gains} decides between a pause and a step. {@code NodeContext} has
 * what all parts of a node share, among it the detector.
 * <p>
 * The page on safety has the timeline of a pause and of a step, in numbers. This package
 * measures, and turns a grant that a step made doubtful into a fault; what a step means
 * for the state of a node is decided above it.
 */
@NullMarked
package dev.redlock.lettuce.internal.clock;

import org.jspecify.annotations.NullMarked;
