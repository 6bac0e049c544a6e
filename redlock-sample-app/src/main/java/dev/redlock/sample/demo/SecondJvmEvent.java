package dev.redlock.sample.demo;

/**
 * The second JVM was started, is ready or has ended.
 *
 * @param state its state now
 */
public record SecondJvmEvent(SecondJvm.State state) {

}
