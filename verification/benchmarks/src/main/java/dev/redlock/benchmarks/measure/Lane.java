package dev.redlock.benchmarks.measure;

import java.util.function.LongFunction;

/**
 * What is measured in turn with others.
 *
 * @param label its name
 * @param base the label of the lane that it is compared with
 * @param measurement measures one round of so many milliseconds
 */
public record Lane(String label, String base, LongFunction<Round> measurement) {

}
