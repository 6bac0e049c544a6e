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
 * methods. The annotation may also be on an interface or a superclass, or on an
 * annotation of your own, which can pass attributes on with {@link AliasFor @AliasFor}.
 * The lock works through a Spring proxy, so a call within the same object
 * ({@code this.sell(…)}) is not locked. The application does not start with methods that
 * no proxy can lock: private, static and final methods, {@code @PostConstruct} and
 * {@code @Bean} methods. Load-time weaving of {@code RedLockAspect} locks calls within
 * the same object and private, static and final methods too.
 * <h2>Text</h2> The text attributes take <code>${…}</code> placeholders, resolved at
 * start, and <code>#{…}</code> parts in the Spring expression language, evaluated once
 * per call. An expression sees the parameters by name ({@code #sku}; {@code #a0} or
 * {@code #p0} by position), {@code #root.args}, {@code #root.method},
 * {@code #root.target} and beans ({@code @pricing.region()}). An expression can read
 * properties and call methods, but not name types, construct objects or assign values. An
 * attribute with empty text has its default.
 * <p>
 * Durations are written {@code "10s"}, {@code "1m30s"}, {@code "PT10S"}, or
 * {@code "10000"} for milliseconds. A number without a unit from 1 to 99 is refused,
 * because {@code "5"} would be 5 ms.
 * <h2>Nesting</h2> A call locks only the names that its thread does not hold already.
 * Names that an outer call holds keep the attributes of that call, and are released when
 * the outer call ends. Pieces of asynchronous or reactive work on one name inside of the
 * same call run one after the other, and wait for each other for up to
 * {@link #waitFor()}. Work inside of such a piece shares the lock of the piece, so wait
 * for this inner work before the piece ends. {@link dev.redlock.CurrentLease} gives
 * access to the lease, which covers all names of the call. The lease is lost when the
 * lock on one of these names is lost, and the {@link #onLoss()} of each call applies to
 * that call. The fence of one name is {@code CurrentLease.require(name).fence()}.
 * <h2>Order</h2> The lock is taken outside of {@code @Transactional} and
 * {@code @Cacheable}, so the lock is released after the commit. The lock is taken inside
 * of {@code @Async} and {@code @Retryable}, so it belongs to the thread that does the
 * work and is taken anew for each retry. The application does not start if the
 * transaction of a method would begin before its lock is taken. A blocking call inside of
 * an outer transaction keeps the lock until that transaction has completed. A loss of the
 * lock before the commit rolls the transaction back, unless {@link #onLoss()} is
 * {@link OnLoss#IGNORE}. A call that returns a future keeps its lock until both the
 * future and the outer transaction have completed. Asynchronous work on a name that the
 * transaction keeps is refused.
 * <h2>Return types</h2> A method that returns a {@code CompletionStage} or
 * {@code CompletableFuture} waits for the lock and runs on the thread of its caller, and
 * holds the lock until the future completes. All failures reach the caller through the
 * returned future. Cancelling the returned future cancels the future of the method. The
 * wait for the lock cannot be cancelled, because it is over when the caller gets the
 * future. A call on a thread that must not block, such as an event loop, is refused.
 * Methods for such threads return a {@code Mono}.
 * <p>
 * A method that returns a {@code Mono}, a {@code Flux} or another type that Spring's
 * {@code ReactiveAdapterRegistry} knows (RxJava, {@code Flow.Publisher}, Mutiny, Kotlin's
 * {@code Flow}), and a {@code suspend} function, blocks no thread: each subscription
 * takes the lock, then calls the method, and holds the lock until the publisher
 * completes, fails or is cancelled. The names and the condition are evaluated at
 * subscription, and errors in them are signalled to the subscriber. The lease is in the
 * Reactor context, where a nested call finds it; see {@code ReactiveCurrentLease} and
 * {@code ReactiveRedLockTemplate}.
 * <p>
 * Every other type whose work runs after the method has returned is refused at start:
 * plain {@code Future}, {@code Stream}, {@code Iterator}, {@code Callable},
 * {@code Supplier}, {@code StreamingResponseBody}, {@code DeferredResult}, emitters,
 * {@code ServerResponse} and the like, even inside of an {@code Optional}, a
 * {@code ResponseEntity}, a {@code CompletableFuture} or a {@code Mono}. If a method that
 * is declared as {@code Object} or {@code ResponseEntity<?>} returns such a value, a
 * warning is logged.
 * <h2>Mistakes</h2> Attributes are checked when the bean is created, and the application
 * does not start with a wrong attribute.
 */
@Target({ ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface RedLock {

	/**
	 * The {@link #retryCount()} that stands for {@code redlock.retry.count}.
	 */
	int DEFAULT_RETRY_COUNT = Integer.MIN_VALUE;

	/**
	 * The {@link #clockDriftFactor()} that stands for {@code redlock.clock-drift-factor}.
	 */
	double DEFAULT_CLOCK_DRIFT_FACTOR = -1;

	/**
	 * Alias for {@link #resource()}.
	 * @return the names of what is locked
	 */
	@AliasFor("resource")
	String[] value() default {};

	/**
	 * One or more names of what is locked. Several names are locked all or nothing and in
	 * sorted order, so that two such calls never wait for each other.
	 * <p>
	 * A part that is null or blank is an error, because it would lock the same name for
	 * everybody. An expression that is the whole name may yield a collection or an array,
	 * with one name for each element. Put a separator between two parts:
	 * {@code "#{#a}#{#b}"} is the same name for 1, 11 and for 11, 1. Control characters
	 * are refused. Of a name over 1,024 bytes of UTF-8 the part after the first 512 is
	 * replaced by {@code ~sha256:} and its SHA-256, in the template too.
	 * <p>
	 * A bean of the type {@code ResourceNameResolver} may replace the names.
	 * @return the names of what is locked
	 */
	@AliasFor("value")
	String[] resource() default {};

	/**
	 * The time after which the nodes forget a lock that is not released. The method must
	 * have ended by then, or the lock must be renewed.
	 * @return a duration; empty for {@code redlock.ttl}
	 */
	String ttl() default "";

	/**
	 * How long to wait for the lock; {@code "0"} is one attempt.
	 * @return a duration; empty for {@code redlock.wait-for}
	 */
	String waitFor() default "";

	/**
	 * The greatest number of retries within {@link #waitFor()}; -1 for no limit.
	 * @return a number; {@link #DEFAULT_RETRY_COUNT} for {@code redlock.retry.count}
	 */
	int retryCount() default DEFAULT_RETRY_COUNT;

	/**
	 * The upper end of the random delay between two tries; the lower end is half of it.
	 * The delay is at least 1 ms.
	 * @return a duration; empty for {@code redlock.retry.delay}
	 */
	String retryDelay() default "";

	/**
	 * The share of the ttl that is given to clock drift, at least 0 and less than 1.
	 * @return a share; {@link #DEFAULT_CLOCK_DRIFT_FACTOR} for
	 * {@code redlock.clock-drift-factor}
	 */
	double clockDriftFactor() default DEFAULT_CLOCK_DRIFT_FACTOR;

	/**
	 * The names of the instances that vote for this lock. All methods that lock the same
	 * resource must name the same instances.
	 * @return names from {@code redlock.instances}; none for all instances
	 */
	String[] instances() default {};

	/**
	 * How many calls may run at the same time, in all processes together. Each call holds
	 * one permit, and a permit has no fence. All methods that name the same resource must
	 * give the same number.
	 * @return the number of permits, from 1 to 1,000; 0 for the lock, which excludes all
	 * other calls
	 */
	int permits() default 0;

	/**
	 * Whether the lease is renewed while the method runs.
	 * @return whether to renew
	 */
	Renew renew() default Renew.DEFAULT;

	/**
	 * The total time after which renewal stops, so that a method that hangs does not hold
	 * its lock for ever. This attribute is refused if the lease is not renewed.
	 * @return a duration; empty for {@code redlock.renew.max-hold}
	 */
	String maxHold() default "";

	/**
	 * The shortest time for which the lock is kept after it was acquired, even if the
	 * method is faster. Use this attribute for scheduled jobs, so that a process whose
	 * clock is behind finds the lock held. For names that an outer call holds already,
	 * this time is ignored, because the outer call releases them.
	 * @return a duration; empty for none
	 */
	String atLeast() default "";

	/**
	 * The outcome of a call that does not get the lock. An exception that the method
	 * itself throws is never changed.
	 * @return the outcome
	 */
	OnFailure onFailure() default OnFailure.THROW;

	/**
	 * An expression that decides whether the call is locked, such as
	 * {@code "#quantity > 10"}. If the expression is false, the method runs without the
	 * lock.
	 * @return an expression, with or without <code>#{…}</code>; empty for always
	 */
	String condition() default "";

	/**
	 * The name of a method of the same class that is called instead of throwing
	 * {@link dev.redlock.LockNotAcquiredException}. The fallback takes the same
	 * parameters, and may take the exception as last parameter. The fallback may be
	 * private.
	 * @return the name of a method; empty for none
	 */
	String fallback() default "";

	/**
	 * The consequence for the method if the lock is lost while it runs.
	 * @return the consequence
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
	 * The outcome of a call that does not get the lock.
	 */
	enum OnFailure {

		/**
		 * The call throws {@link dev.redlock.LockNotAcquiredException}.
		 */
		THROW,

		/**
		 * The call does nothing while another owner holds the lock, and returns null, an
		 * empty {@code Optional}, a future completed with null, or an empty publisher.
		 * Every other failure, such as a missing quorum, still throws
		 * {@link dev.redlock.LockNotAcquiredException}. The application does not start if
		 * the return type has no empty value: primitives, {@code Single}, and Kotlin
		 * types that are not nullable. Before a call is skipped, it waits for up to the
		 * node timeout until the votes prove that one owner holds the lock.
		 */
		SKIP,

		/**
		 * Like {@link #SKIP}, but also skips the call when the nodes do not show whether
		 * another owner has the lock: without a quorum, after a split vote, or when the
		 * time to wait was over before the nodes answered. In these cases the work may
		 * run in no process. A warning reports such calls, at most once a minute.
		 */
		SKIP_ALWAYS

	}

	/**
	 * The consequence for a method if its lock is lost while it runs.
	 */
	enum OnLoss {

		/**
		 * The method runs on, and {@link dev.redlock.LockLostException} is thrown after
		 * it. If the method throws an exception of its own, the caller gets this
		 * exception, with the loss as suppressed.
		 */
		THROW,

		/**
		 * Like {@link #THROW}, but the loss also interrupts the thread, or cancels the
		 * future or publisher, at once.
		 */
		INTERRUPT,

		/**
		 * The loss is only logged and reported to the listeners.
		 */
		IGNORE

	}

}
