package dev.redlock.spring.interceptor;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Decides which names a call of a method with {@code @RedLock} locks. Declare a resolver
 * as a bean, for instance to put a tenant in front of all names: <pre class="code">
 * &#64;Bean
 * ResourceNameResolver resourceNames(Tenants tenants) {
 *     return (call) -&gt; call.names().stream().map((name) -&gt; tenants.current() + ":" + name).toList();
 * }</pre>
 * <p>
 * The resolver is called once per call of the method, on the thread of the caller, after
 * the expressions of the annotation were evaluated. If the method returns a publisher,
 * the resolver is called once per subscription, and sees the values of the Reactor
 * context that have a {@code ThreadLocalAccessor}. A resolver must be thread-safe.
 * Control characters in names are refused. If a name has over 1,024 bytes, the part after
 * the first 512 is replaced by its SHA-256. If the resolver throws an exception, the
 * caller gets that exception and the method does not run. The resolver is not called for
 * locks that {@link dev.redlock.spring.template.RedLockTemplate} takes directly.
 */
@FunctionalInterface
public interface ResourceNameResolver {

	/**
	 * Returns the names to lock.
	 * @param call the call
	 * @return one name or more, no name blank; several names are locked all or nothing
	 */
	Collection<String> resolve(Call call);

	/**
	 * One call of a method with {@code @RedLock}.
	 *
	 * @param method the method
	 * @param target the bean, null for a static method that is woven
	 * @param args the arguments, some of which may be null
	 * @param names the names in the annotation, in the same order
	 */
	record Call(Method method, @Nullable Object target, List<@Nullable Object> args, List<String> names) {

	}

}
