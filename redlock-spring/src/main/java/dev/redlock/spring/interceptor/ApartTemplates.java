package dev.redlock.spring.interceptor;

import java.util.Objects;

import dev.redlock.spring.interceptor.LockedMethodExtension.Templates;
import dev.redlock.spring.template.RedLockTemplate;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;

/**
 * The templates for a method that suspends the transaction around it, or is read-only.
 * The lock of such a method ends with the method's own transaction. This class needs
 * spring-tx.
 */
final class ApartTemplates {

	private ApartTemplates() {
	}

	/**
	 * Returns the templates for a method. Spring's sources of transaction attributes are
	 * asked, because they also find annotations on classes and the application's own
	 * annotations.
	 * @param usual the templates for a method that takes part in the transaction around
	 * it
	 */
	static Templates of(Templates usual, ListableBeanFactory beans, AnnotatedMethod method) {
		return beans.getBeanProvider(TransactionAttributeSource.class, false)
			.stream()
			.map((source) -> source.getTransactionAttribute(method.method(), method.targetClass()))
			.filter(Objects::nonNull)
			.findFirst()
			.filter((attribute) -> suspends(attribute) || attribute.isReadOnly())
			.map((attribute) -> apart(usual, suspends(attribute)))
			.orElse(usual);
	}

	private static Templates apart(Templates usual, boolean suspends) {
		return new Templates(
				() -> (usual.operations().get() instanceof RedLockTemplate template)
						? template.apartFromTransactions(suspends) : usual.operations().get(),
				() -> usual.reactive().get().apartFromTransactions(suspends));
	}

	private static boolean suspends(TransactionAttribute attribute) {
		int propagation = attribute.getPropagationBehavior();
		return propagation == TransactionAttribute.PROPAGATION_REQUIRES_NEW
				|| propagation == TransactionAttribute.PROPAGATION_NOT_SUPPORTED;
	}

}
