package dev.redlock.spring.interceptor;

import java.util.Objects;
import java.util.function.Supplier;

import dev.redlock.spring.template.ReactiveRedLockTemplate;
import dev.redlock.spring.template.RedLockOperations;
import dev.redlock.spring.template.RedLockTemplate;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.util.function.SingletonSupplier;

/**
 * The templates for a method that suspends the transaction around it, or is read-only.
 * The lock of such a method ends with the method's own transaction. This class needs
 * spring-tx.
 */
final class ApartTemplates implements LockedMethodExtension.Templates {

	private final Supplier<RedLockOperations> operations;

	private final Supplier<ReactiveRedLockTemplate> reactive;

	private ApartTemplates(ListableBeanFactory beans, boolean suspends) {
		this.operations = SingletonSupplier.of(() -> {
			RedLockOperations used = beans.getBean(RedLockOperations.class);
			return (used instanceof RedLockTemplate template) ? template.apartFromTransactions(suspends) : used;
		});
		this.reactive = SingletonSupplier
			.of(() -> beans.getBean(ReactiveRedLockTemplate.class).apartFromTransactions(suspends));
	}

	/**
	 * Returns the templates for a method. Spring's sources of transaction attributes are
	 * asked, because they also find annotations on classes and the application's own
	 * annotations.
	 * @return the templates; null for a method that takes part in the transaction around
	 * it
	 */
	static LockedMethodExtension.@Nullable Templates of(ListableBeanFactory beans, AnnotatedMethod method) {
		return beans.getBeanProvider(TransactionAttributeSource.class, false)
			.stream()
			.map((source) -> source.getTransactionAttribute(method.method(), method.targetClass()))
			.filter(Objects::nonNull)
			.findFirst()
			.filter((attribute) -> suspends(attribute) || attribute.isReadOnly())
			.map((attribute) -> new ApartTemplates(beans, suspends(attribute)))
			.orElse(null);
	}

	@Override
	public RedLockOperations operations() {
		return this.operations.get();
	}

	@Override
	public ReactiveRedLockTemplate reactive() {
		return this.reactive.get();
	}

	private static boolean suspends(TransactionAttribute attribute) {
		int propagation = attribute.getPropagationBehavior();
		return propagation == TransactionAttribute.PROPAGATION_REQUIRES_NEW
				|| propagation == TransactionAttribute.PROPAGATION_NOT_SUPPORTED;
	}

}
