package dev.redlock.sample.demo;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The clock of the timeline. It is the wall clock, which all JVMs of one machine share.
 */
final class Micros {

	private Micros() {
	}

	/**
	 * The current time.
	 * @return microseconds since the epoch
	 */
	public static long now() {
		return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
	}

}
