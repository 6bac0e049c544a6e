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
 * Changes how locked methods run. Startup asks the extensions about each method with
 * {@code @RedLock}, even as a meta-annotation, until one answers. Declare an extension in
 * each application context that has locked methods, by a static {@code @Bean} method with
 * the infrastructure role.
 */
@FunctionalInterface
public interface LockedMethodExtension {

	/**
	 * Decides at startup whether this extension runs a locked method.
	 * @param method the locked method, with its annotation
	 * @return the runner of the method; null if this extension does not run the method
	 */
	@Nullable Runner read(AnnotatedMethod method);

	/**
	 * Chooses at startup the templates that run a locked method, for instance under a
	 * lease that the process holds already.
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
	 * Decides at startup whether {@code onFailure = SKIP} also skips a call if too few
	 * servers vote, as {@code SKIP_ALWAYS} does.
	 * @param method the locked method, with its annotation
	 */
	default boolean skipsAlways(AnnotatedMethod method) {
		return false;
	}

	/**
	 * Runs one locked method that does all of its work before it returns.
	 */
	interface Runner {

		/**
		 * Called after a bean with the locked method was created.
		 * @param bean the name of the bean that has the locked method
		 * @param resource the first resource name that the method locks; null if the name
		 * has an expression
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
		 * Returns the bean whose method is called, without its proxies.
		 */
		@Nullable Object bean();

		/**
		 * Runs the locked method. Call {@code runLocked} only while the current thread
		 * holds the lock.
		 */
		@Nullable Object runLocked();

		/**
		 * Returns the empty value of the method's return type, for a call that is
		 * skipped.
		 */
		@Nullable Object skip();

		/**
		 * Returns the result of a call that did not get the lock, as {@code onFailure}
		 * and {@code fallback} of the annotation say.
		 * @throws Throwable the given exception, or an exception of the fallback
		 */
		@Nullable Object answer(LockNotAcquiredException failure) throws Throwable;

		/**
		 * Copies the call, for an extension that runs the method after the caller has got
		 * its result.
		 */
		Call copy();

	}

	/**
	 * The templates that lock and run a method. Each supplier of a template is called
	 * once.
	 *
	 * @param operations returns the template for methods that return a value or a
	 * {@code CompletionStage}
	 * @param reactive returns the template for methods that return a publisher, and for
	 * suspending functions
	 */
	record Templates(Supplier<RedLockOperations> operations, Supplier<ReactiveRedLockTemplate> reactive) {

		public Templates {
			operations = SingletonSupplier.of(operations);
			reactive = SingletonSupplier.of(reactive);
		}

	}

}
