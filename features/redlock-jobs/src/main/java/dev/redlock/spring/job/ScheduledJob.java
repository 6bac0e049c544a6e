package dev.redlock.spring.job;

import dev.redlock.spring.interceptor.AnnotatedMethod;

/**
 * A job method of one bean.
 *
 * @param bean the name of the bean
 */
record ScheduledJob(String bean, AnnotatedMethod method) {

	@Override
	public String toString() {
		return this.method + " of the bean '" + this.bean + "'";
	}

}
