package dev.redlock.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;

/**
 * Runs a method under a distributed lock: the method starts only when a majority of the
 * Redis nodes has granted the lock, and the lock is released when the method has ended.
 * <pre class="code">
 * &#64;RedLock(resource = "stock:#{#sku}", ttl = "10s", waitFor = "2s")
 * public Order sell(String sku, int quantity) { … }</pre>
 * <h2>Where</h2> Put the annotation on a method, or on a type to lock all of its public
 * methods. An interface, a superclass, or an annotation of your own with
 * {@link AliasFor @AliasFor} may also carry the annotation. The lock works through a
 * Spring proxy, so a call within the same object ({@code this.sell(…)}) is not locked.
 * The application does not start with methods that no proxy can lock: private, static and
 * final methods, {@code @Bean} methods, and methods that Spring calls on the bean itself,
 * such as {@code @PostConstruct}, {@code afterPropertiesSet} and {@code @PreDestroy}. If
 * the annotation is on the type, Spring calls these methods without the lock. The
 * application also does not start if a method has different annotations from two
 * interfaces, or from an interface and a superclass. With load-time weaving,
 * {@code RedLockAspect} also locks calls within the same object, and private, static and
 * final methods, except {@code suspend} functions.
 * <h2>Text</h2> All text attributes but {@link #fallback()} take <code>${…}</code>
 * placeholders, resolved at start. {@link #resource()} and {@link #condition()} also take
 * <code>#{…}</code> parts in the Spring expression language, evaluated once per call. An
 * expression can use the parameters of the method by name ({@code #sku}; {@code #a0} or
 * {@code #p0} by position), {@code #root.args}, {@code #root.method},
 * {@code #root.target} and beans ({@code @pricing.region()}). An expression can read
 * properties and call methods, but not name types, construct objects or assign values. An
 * attribute with empty text has its default value.
 * <p>
 * Durations are written {@code "10s"}, {@code "1m30s"}, {@code "PT10S"}, or
 * {@code "10000"} for milliseconds. Startup fails for a duration from 1 to 99 without a
 * unit, because {@code "5"} means 5 ms and was probably meant as seconds.
 * <h2>Nesting</h2> A nested call locks only the names that its thread has not locked
 * already. For names that an outer call has locked, the ttl and the renewal of the outer
 * call apply. If a locked method calls several asynchronous or reactive methods that lock
 * the same name, these run one after the other. If a locked asynchronous method calls
 * methods that lock the same name, the called methods must end first. The class
 * {@link dev.redlock.CurrentLease} gives access to the lease of the call, which covers
 * all of the call's names. A lease on several names is lost when the lock on one of the
 * names is lost. {@code CurrentLease.require(name).fence()} returns the fencing token of
 * one name.
 * <h2>Order</h2> The lock is taken outside of {@code @Transactional} and
 * {@code @Cacheable}, so the lock is released after the commit. The lock is taken inside
 * of {@code @Async}, on the thread that runs the method, and inside of
 * {@code @Retryable}, anew for each retry. The application does not start if the
 * transaction of a method would begin before its lock is taken. A blocking call inside of
 * an outer transaction keeps the lock until that transaction has completed. A loss of
 * such a lock before the commit rolls the transaction back, unless {@link #onLoss()} is
 * {@link OnLoss#IGNORE}. A call that returns a future keeps its lock until both the
 * future and the outer transaction have completed. A call that returns a future or a
 * publisher fails if the thread's transaction already holds the lock on the name.
 * <h2>Return types</h2> A method that returns a {@code CompletionStage} or
 * {@code CompletableFuture} waits for the lock and runs on the thread of its caller. The
 * lock of a method that returns a future is held until the future completes. If a method
 * returns a future, all exceptions reach the caller through that future, even if the lock
 * was not acquired. If the caller cancels its future, the future that the method returned
 * is cancelled too. On a thread that must not block, such as an event loop, a call that
 * returns a future fails. A method that an event loop calls must return a {@code Mono}.
 * <p>
 * Reactive methods block no thread: {@code suspend} functions, and methods whose return
 * type Spring's {@code ReactiveAdapterRegistry} knows ({@code Mono}, {@code Flux},
 * RxJava, {@code Flow.Publisher}, Mutiny, Kotlin's {@code Flow}). Each subscription to
 * the publisher of a locked method takes the lock and then calls the method. The lock is
 * held until the publisher completes, fails or is cancelled. The expressions of the
 * resource names and of the condition are evaluated at subscription. The lease of
 * reactive code is in the Reactor context, where nested calls find the lease; see
 * {@code ReactiveCurrentLease} and {@code ReactiveRedLockTemplate}.
 * <p>
 * Startup fails for return types whose work would go on without the lock: plain
 * {@code Future}, {@code Stream}, {@code Iterator}, {@code Callable}, {@code Supplier},
 * {@code StreamingResponseBody}, {@code DeferredResult}, emitters, {@code ServerResponse}
 * and the like, even inside of an {@code Optional}, a {@code ResponseEntity}, a
 * {@code CompletableFuture} or a {@code Mono}. A warning is logged if a method with the
 * return type {@code Object} or {@code ResponseEntity<?>} returns a {@code Stream}, an
 * emitter or the like.
 * <h2>Mistakes</h2> The application does not start with a wrong attribute. The attributes
 * of a lazy or prototype bean are checked when the bean is created, perhaps after the
 * start.
 */
@Target({ ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface RedLock {

	/**
	 * The value of {@link #retryCount()} that selects the property
	 * {@code redlock.retry.count}.
	 */
	int DEFAULT_RETRY_COUNT = Integer.MIN_VALUE;

	/**
	 * The value of {@link #clockDriftFactor()} that selects the property
	 * {@code redlock.clock-drift-factor}.
	 */
	double DEFAULT_CLOCK_DRIFT_FACTOR = -1;

	/**
	 * Alias for {@link #resource()}.
	 */
	@AliasFor("resource")
	String[] value() default {};

	/**
	 * The names to lock. A call locks either all of its names or none. Names are locked
	 * in sorted order, so that two calls with several names never wait for each other.
	 * <p>
	 * A call fails if an expression in a name yields null or blank text, because all
	 * calls without a value would lock the same name. An expression that is the whole
	 * text of a name may yield several names, as a collection or an array. Put a
	 * separator between two expressions: {@code "#{#a}#{#b}"} is the same name for 1, 11
	 * and for 11, 1. Control characters in names are refused.
	 * <p>
	 * A bean of the type {@code ResourceNameResolver} may replace the names.
	 * @return the names to lock
	 */
	@AliasFor("value")
	String[] resource() default {};

	/**
	 * The time after which the nodes forget a lock that is not released. A method that
	 * may run longer than the ttl needs renewal ({@link #renew()}).
	 * @return the ttl as a duration; empty to use {@code redlock.ttl}
	 */
	String ttl() default "";

	/**
	 * How long a call waits for the lock; {@code "0"} means one attempt.
	 * @return the wait as a duration; empty to use {@code redlock.wait-for}
	 */
	String waitFor() default "";

	/**
	 * The greatest number of retries within {@link #waitFor()}; -1 for no limit.
	 * @return the greatest number of retries; by default, {@code redlock.retry.count}
	 */
	int retryCount() default DEFAULT_RETRY_COUNT;

	/**
	 * The longest random delay between two attempts to get the lock. The shortest random
	 * delay is half of the longest, and at least 1 ms.
	 * @return the longest delay as a duration; empty to use {@code redlock.retry.delay}
	 */
	String retryDelay() default "";

	/**
	 * The fraction of its ttl by which a lease ends early, because clocks run at
	 * different speeds.
	 * @return a fraction from 0 to less than 1; by default,
	 * {@code redlock.clock-drift-factor}
	 */
	double clockDriftFactor() default DEFAULT_CLOCK_DRIFT_FACTOR;

	/**
	 * The names of the Redis servers that vote on this lock. All methods that lock the
	 * same resource must name the same servers.
	 * @return server names from the property {@code redlock.instances}; empty for all
	 * servers
	 */
	String[] instances() default {};

	/**
	 * How many calls that lock the same name may run at the same time, in all processes
	 * together. With {@code permits} above 0, a call gets no fencing token. All methods
	 * that lock the same name must have the same number of permits.
	 * @return the number of permits, from 1 to 1,000; 0 for an exclusive lock
	 */
	int permits() default 0;

	/**
	 * Whether the lease is renewed while the method runs.
	 */
	Renew renew() default Renew.DEFAULT;

	/**
	 * The total time after which renewal of the lease stops, so that a method that hangs
	 * does not hold its lock for ever. Startup fails if {@code maxHold} is set and the
	 * lease is not renewed.
	 * @return the total time as a duration; empty to use {@code redlock.renew.max-hold}
	 */
	String maxHold() default "";

	/**
	 * The shortest time for which the lock is held after it was acquired, even if the
	 * method ends earlier. Use {@code atLeast} for scheduled jobs, so that a process
	 * whose clock is behind finds the lock held. This attribute has no effect on names
	 * that an outer call has locked, because the outer call releases these names.
	 * @return the shortest time as a duration; empty if the lock ends with the method
	 */
	String atLeast() default "";

	/**
	 * What a call does if it does not get the lock. This attribute does not apply to
	 * exceptions that the method itself throws.
	 */
	OnFailure onFailure() default OnFailure.THROW;

	/**
	 * An expression that decides whether the call is locked, such as
	 * {@code "#quantity > 10"}. If the expression of {@code condition} is false, the
	 * method runs without the lock.
	 * @return an expression, with or without <code>#{…}</code>; empty if every call is
	 * locked
	 */
	String condition() default "";

	/**
	 * The name of a method of the same class that is called instead of throwing
	 * {@link dev.redlock.LockNotAcquiredException}. The fallback method takes the same
	 * parameters as the locked method, and may take the exception as an additional last
	 * parameter. The fallback method may be private.
	 * @return the name of the fallback method; empty for no fallback
	 */
	String fallback() default "";

	/**
	 * What happens to the method if the lock is lost while the method runs.
	 */
	OnLoss onLoss() default OnLoss.THROW;

	/**
	 * Whether a lease is renewed.
	 */
	enum Renew {

		/**
		 * The lease is renewed if {@code redlock.renew.enabled} is true.
		 */
		DEFAULT,

		/**
		 * The lease is renewed until the method ends, at most for
		 * {@link RedLock#maxHold()}.
		 */
		ON,

		/**
		 * The lease is not renewed, and the lock ends with its ttl.
		 */
		OFF

	}

	/**
	 * What a call does if it does not get the lock.
	 */
	enum OnFailure {

		/**
		 * The call throws {@link dev.redlock.LockNotAcquiredException}.
		 */
		THROW,

		/**
		 * The call does nothing while another owner holds the lock. A skipped call
		 * returns null, an empty {@code Optional}, a future completed with null, or an
		 * empty publisher. A call that fails for another reason, such as a missing
		 * quorum, throws {@link dev.redlock.LockNotAcquiredException}. The application
		 * does not start if the return type has no empty value: primitives,
		 * {@code Single}, and Kotlin types that are not nullable. A call is skipped only
		 * when the answers of the Redis servers prove that one owner holds the lock.
		 */
		SKIP,

		/**
		 * Like {@link #SKIP}, but skips each call that does not get its lock, whatever
		 * the reason. While too few servers answer, all processes may skip the method, so
		 * that it runs nowhere.
		 */
		SKIP_ALWAYS

	}

	/**
	 * What happens to a method if its lock is lost while the method runs.
	 */
	enum OnLoss {

		/**
		 * The method runs on after the loss of its lock. When the method has ended, the
		 * call throws {@link dev.redlock.LockLostException}. If the method throws an
		 * exception of its own, the caller gets the exception of the method, with the
		 * {@code LockLostException} as a suppressed exception.
		 */
		THROW,

		/**
		 * Like {@link #THROW}, but a loss of the lock also interrupts the thread of the
		 * method at once, or cancels the method's future or publisher.
		 */
		INTERRUPT,

		/**
		 * A loss of the lock is only logged and reported to lock listeners, so neither
		 * the method nor its caller is told.
		 */
		IGNORE

	}

}
