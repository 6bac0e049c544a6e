package dev.redlock.spring.interceptor;

import java.util.List;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import dev.redlock.spring.template.RedLockOperations;
import org.jspecify.annotations.Nullable;

/**
 * Runs methods in its own way if their annotation carries {@code @RedLock} and asks for
 * this extension. Declare it by a static bean method with the infrastructure role, in
 * each context that has locked methods.
 */
@FunctionalInterface
public interface LockedMethodExtension {

	/**
	 * Reads the annotation of a method. Called once for each method, at start.
	 * @param method the method, with its annotation
	 * @return how to run the method; null if the annotation does not ask for this
	 * extension
	 */
	@Nullable Runner read(AnnotatedMethod method);

	/**
	 * Chooses the templates that run a method, for methods that acquire no lock of their
	 * own. The templates run methods of all return types. Called once for each method, at
	 * start.
	 * @param method the method, with its annotation
	 * @param names the names that it locks, except names that depend on the call
	 * @return the templates; null for the templates of the application
	 */
	default @Nullable Templates templates(AnnotatedMethod method, List<String> names) {
		return null;
	}

	/**
	 * Runs one method whose work has ended when it returns.
	 */
	interface Runner {

		/**
		 * Called when a bean with the method was created.
		 * @param bean the name of the bean
		 * @param resource the name that the method locks; null if it depends on the call
		 */
		default void created(String bean, @Nullable String resource) {
		}

		/**
		 * Runs the method.
		 * @param operations acquires locks
		 * @param request the request, as the annotation describes it
		 * @param call the call
		 * @return the result for the caller
		 * @throws Throwable what the method throws
		 */
		@Nullable Object run(RedLockOperations operations, LockRequest request, Call call) throws Throwable;

	}

	/**
	 * One call of a locked method.
	 */
	interface Call {

		/**
		 * Runs the method. The current thread must have its lock.
		 * @return what the method returns
		 */
		@Nullable Object runLocked();

		/**
		 * Returns the value for a skipped call.
		 * @return the empty value of the return type
		 */
		@Nullable Object skip();

		/**
		 * Answers a call without the lock, as the annotation says.
		 * @param failure the reason why there is no lock
		 * @return the answer
		 * @throws Throwable the failure, or what the answer throws
		 */
		@Nullable Object answer(LockNotAcquiredException failure) throws Throwable;

		/**
		 * Copies the call, so that the method can run after this call has returned.
		 * @return the copy
		 */
		Call copy();

	}

	/**
	 * The templates that run a method.
	 */
	interface Templates {

		/**
		 * Returns the template for methods that return a value or a stage.
		 * @return the template
		 */
		RedLockOperations operations();

		/**
		 * Returns the template for methods that return a publisher, and for suspending
		 * functions.
		 * @return the template
		 */
		ReactiveRedLockTemplate reactive();

	}

}
