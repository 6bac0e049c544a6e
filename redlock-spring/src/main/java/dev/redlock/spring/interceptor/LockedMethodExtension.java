package dev.redlock.spring.interceptor;

import java.util.List;
import java.util.function.Supplier;

import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.spring.template.ReactiveRedLockTemplate;
import dev.redlock.spring.template.RedLockOperations;
import org.jspecify.annotations.Nullable;

import org.springframework.util.function.SingletonSupplier;

/**
 * Runs methods in another way than {@code @RedLock} alone does. For each annotation that
 * carries {@code @RedLock}, an extension decides whether it runs the method. Declare an
 * extension by a static bean method with the infrastructure role, in each context that
 * has locked methods.
 */
@FunctionalInterface
public interface LockedMethodExtension {

	/**
	 * Reads the annotation of a method. This method is called once for each locked
	 * method, at start.
	 * @param method the method, with its annotation
	 * @return how to run the method; null if the annotation does not ask for this
	 * extension
	 */
	@Nullable Runner read(AnnotatedMethod method);

	/**
	 * Chooses the templates that run a method, for methods that acquire no lock of their
	 * own. The templates run methods of all return types. This method is called once for
	 * each locked method, at start.
	 * @param method the method, with its annotation
	 * @param names the names that the method locks, except names that depend on the call
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
		 * @param resource the name that the method locks; null if the name depends on the
		 * call
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
		 * Runs the method. The current thread must have the lock of the call.
		 * @return the result of the method
		 */
		@Nullable Object runLocked();

		/**
		 * Returns the value for a skipped call.
		 * @return the empty value of the return type
		 */
		@Nullable Object skip();

		/**
		 * Answers a call that did not get the lock, as the annotation says.
		 * @param failure the reason why the lock was not acquired
		 * @return the answer
		 * @throws Throwable the failure, or an exception of the fallback
		 */
		@Nullable Object answer(LockNotAcquiredException failure) throws Throwable;

		/**
		 * Copies the call, so that the method can run after this call has returned.
		 * @return the copy
		 */
		Call copy();

	}

	/**
	 * The templates that lock and run a method. Each is looked up once.
	 *
	 * @param operations returns the template for methods that return a value or a stage
	 * @param reactive returns the template for methods that return a publisher, and for
	 * suspending functions
	 */
	record Templates(Supplier<RedLockOperations> operations, Supplier<ReactiveRedLockTemplate> reactive) {

		/**
		 * Creates the pair.
		 */
		public Templates {
			operations = SingletonSupplier.of(operations);
			reactive = SingletonSupplier.of(reactive);
		}

	}

}
