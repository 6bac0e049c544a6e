package dev.redlock.spring.internal.read;

import java.util.Objects;

import dev.redlock.spring.interceptor.AnnotatedMethod;
import dev.redlock.spring.interceptor.LockedMethodExtension.Templates;
import dev.redlock.spring.template.RedLockTemplate;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;

/**
 * Chooses the templates that lock a method, depending on the method's
 * {@code @Transactional}. The lock of a {@code REQUIRES_NEW}, {@code NOT_SUPPORTED} or
 * read-only method is released when the method ends, and not with the outer transaction.
 */
final class TransactionAwareTemplates {

	private TransactionAwareTemplates() {
	}

	/**
	 * Reads {@code @Transactional} through Spring's {@code TransactionAttributeSource}
	 * beans, which also find the annotation on classes and in meta-annotations.
	 */
	static Templates of(Templates usual, ListableBeanFactory beans, AnnotatedMethod method) {
		return beans.getBeanProvider(TransactionAttributeSource.class, false)
			.stream()
			.map((source) -> source.getTransactionAttribute(method.method(), method.targetClass()))
			.filter(Objects::nonNull)
			.findFirst()
			.filter((attribute) -> suspends(attribute) || attribute.isReadOnly())
			.map((attribute) -> releasingAtMethodEnd(usual, suspends(attribute)))
			.orElse(usual);
	}

	private static Templates releasingAtMethodEnd(Templates usual, boolean suspends) {
		return new Templates(() -> RedLockTemplate.apartFromTransactions(usual.operations().get(), suspends),
				() -> usual.reactive().get().apartFromTransactions(suspends));
	}

	private static boolean suspends(TransactionAttribute attribute) {
		int propagation = attribute.getPropagationBehavior();
		return propagation == TransactionAttribute.PROPAGATION_REQUIRES_NEW
				|| propagation == TransactionAttribute.PROPAGATION_NOT_SUPPORTED;
	}

}
