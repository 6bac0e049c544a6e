package dev.redlock.spring.job;

import java.time.Instant;

/**
 * The application event that a job is about to run in this process. The event is
 * published on the thread of the job, while this process holds the job's lock.
 *
 * @param job the name of the job, which is also the name of its lock
 * @param method the class and the name of the job method
 * @param due the moment at which the job was due
 * @param next the moment at which the job is due next
 * @param fence the fence of the job's lock; 0 if fencing is disabled
 */
public record RedlockJobStartEvent(String job, String method, Instant due, Instant next, long fence) {

}
