package dev.redlock.spring.job;

import java.time.Instant;

/**
 * The application event that a tick of a job is about to run in this process. The event
 * is published on the thread of the job, under its lock.
 *
 * @param job the name of the job, which is its locked resource
 * @param method the method, as class and name
 * @param due the moment at which the job was due
 * @param next the moment at which its next tick is due
 * @param fence the fence of the run, 0 without fencing
 */
public record RedlockJobStartEvent(String job, String method, Instant due, Instant next, long fence) {

}
