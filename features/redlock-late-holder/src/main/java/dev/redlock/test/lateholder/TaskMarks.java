package dev.redlock.test.lateholder;

import java.util.concurrent.Callable;

/**
 * Lets the tasks of an executor bean belong to the call that submits them.
 */
final class TaskMarks {

	private TaskMarks() {
	}

	static Object watch(Object bean) {
		return Proxies.around(bean, (call) -> {
			Object[] arguments = call.getArguments();
			for (int i = 0; i < arguments.length; i++) {
				if (arguments[i] instanceof Runnable task) {
					arguments[i] = Mark.carry(task);
				}
				else if (arguments[i] instanceof Callable<?> task) {
					arguments[i] = Mark.carry(task);
				}
			}
			return call.proceed();
		});
	}

}
