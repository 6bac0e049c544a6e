package dev.redlock.test.lateholder;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Beans that reach the outside and report no steps.
 */
final class UnwatchedBeans {

	private static final List<String> TYPES = List.of("org.springframework.kafka.core.KafkaOperations",
			"org.springframework.amqp.core.AmqpTemplate", "org.springframework.jms.core.JmsOperations",
			"org.springframework.pulsar.core.PulsarOperations", "org.springframework.data.redis.core.RedisOperations",
			"org.springframework.data.mongodb.core.MongoOperations", "org.springframework.mail.MailSender",
			"org.springframework.data.elasticsearch.core.ElasticsearchOperations", "java.net.http.HttpClient");

	private final ListableBeanFactory beans;

	UnwatchedBeans(ListableBeanFactory beans) {
		this.beans = beans;
	}

	/**
	 * Names these beans, if there are any.
	 */
	Optional<String> describe() {
		List<String> names = new ArrayList<>();
		for (String type : TYPES) {
			if (ClassUtils.isPresent(type, null)) {
				names.addAll(
						List.of(this.beans.getBeanNamesForType(ClassUtils.resolveClassName(type, null), true, false)));
			}
		}
		return names.isEmpty() ? Optional.empty() : Optional
			.of("Not watched: the beans " + names + ". Call lateHolder.step(\"…\") where the call uses them.");
	}

}
