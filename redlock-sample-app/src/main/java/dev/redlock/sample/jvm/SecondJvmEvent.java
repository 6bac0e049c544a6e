package dev.redlock.sample.jvm;

/**
 * The second JVM was started, has come up or has ended.
 *
 * @param state how it is now
 */
public record SecondJvmEvent(SecondJvm.State state) {

}
