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
 * The resolver is called on the thread of the caller, after the expressions of the
 * annotation were evaluated. For a publisher, the resolver runs once per subscription,
 * with all thread-locals that Reactor restores by a {@code ThreadLocalAccessor}. When
 * code asks for the lease of a name of the annotation, the resolver is called again. A
 * resolver must be thread-safe. If the resolver throws an exception, the exception
 * reaches the caller and the locked method does not run. The resolver is not called for
 * locks that {@link dev.redlock.spring.template.RedLockTemplate} takes directly.
 */
@FunctionalInterface
public interface ResourceNameResolver {

	/**
	 * Returns the resource names to lock for one call.
	 * @param call the call of the locked method, with the names from its annotation
	 * @return at least one name, and no blank name. The call locks either all names or
	 * none.
	 */
	Collection<String> resolve(Call call);

	/**
	 * One call of a method with {@code @RedLock}.
	 *
	 * @param method the locked method
	 * @param target the bean, or a proxy of the bean that Spring wrapped in the locking
	 * proxy; null for a static method, which only AspectJ weaving can lock
	 * @param args the arguments of the call, some of which may be null
	 * @param names the names from the annotation, with their expressions evaluated
	 */
	record Call(Method method, @Nullable Object target, List<@Nullable Object> args, List<String> names) {

	}

}
