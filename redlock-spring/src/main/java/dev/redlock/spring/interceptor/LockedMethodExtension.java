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
 * Changes how methods with certain annotations run under their lock. These annotations
 * carry {@code @RedLock} as a meta-annotation. For each locked method, an extension
 * decides whether it runs the method. Declare an extension in each application context
 * that has locked methods, by a static {@code @Bean} method with the infrastructure role.
 */
@FunctionalInterface
public interface LockedMethodExtension {

	/**
	 * Decides from the annotation of a method whether this extension runs the method.
	 * Redlock calls {@code read} once for each locked method, at startup.
	 * @param method the locked method, with its annotation
	 * @return the runner of the method; null if this extension is not for the annotation
	 * of the method
	 */
	@Nullable Runner read(AnnotatedMethod method);

	/**
	 * Chooses the templates that run a locked method. With its own templates, an
	 * extension can run methods under a lease that the process holds already. Redlock
	 * calls {@code templates} once for each locked method, at startup.
	 * @param method the locked method, with its annotation
	 * @param names the resource names of the method, without names that depend on the
	 * call
	 * @return the templates that run the method; null for the template beans of the
	 * application
	 */
	default @Nullable Templates templates(AnnotatedMethod method, List<String> names) {
		return null;
	}

	/**
	 * Runs one locked method that does all of its work before it returns.
	 */
	interface Runner {

		/**
		 * Called after a bean with the locked method was created.
		 * @param bean the name of the bean
		 * @param resource the resource name that the method locks; null if the name
		 * depends on the arguments of the call
		 */
		default void created(String bean, @Nullable String resource) {
		}

		/**
		 * Acquires the lock of a call and runs the method.
		 * @param operations acquires and releases the lock
		 * @param request the names and settings from the annotation
		 * @param call the call of the locked method
		 * @return the result that the caller of the method gets
		 * @throws Throwable the exception of the method
		 */
		@Nullable Object run(RedLockOperations operations, LockRequest request, Call call) throws Throwable;

	}

	/**
	 * One call of a locked method.
	 */
	interface Call {

		/**
		 * Runs the locked method. Call this method only while the current thread holds
		 * the lock of the call.
		 * @return the result of the locked method
		 */
		@Nullable Object runLocked();

		/**
		 * Returns the result of a call that is skipped.
		 * @return the empty value of the return type, such as null or an empty
		 * {@code Optional}
		 */
		@Nullable Object skip();

		/**
		 * Returns the result of a call that did not get the lock, as {@code onFailure}
		 * and {@code fallback} of the annotation say.
		 * @param failure the exception that says why the lock was not acquired
		 * @return the empty value, or the result of the fallback
		 * @throws Throwable the given exception, or an exception of the fallback
		 */
		@Nullable Object answer(LockNotAcquiredException failure) throws Throwable;

		/**
		 * Copies the call, so that the method can run after the call has returned.
		 * @return a call with the same arguments
		 */
		Call copy();

	}

	/**
	 * The templates that lock and run a method. Each supplier is called once.
	 *
	 * @param operations returns the template for methods that return a value or a
	 * {@code CompletionStage}
	 * @param reactive returns the template for methods that return a publisher, and for
	 * suspending functions
	 */
	record Templates(Supplier<RedLockOperations> operations, Supplier<ReactiveRedLockTemplate> reactive) {

		/**
		 * Makes each supplier return the template of its first call.
		 */
		public Templates {
			operations = SingletonSupplier.of(operations);
			reactive = SingletonSupplier.of(reactive);
		}

	}

}
