package dev.redlock.test.lateholder;

import java.util.ArrayList;
import java.util.List;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Finds beans that may reach databases or other services, but whose accesses
 * {@link LateHolder} cannot observe.
 */
final class UnwatchedBeans {

	private static final List<String> TYPES = List.of("org.springframework.kafka.core.KafkaOperations",
			"org.springframework.amqp.core.AmqpTemplate", "org.springframework.jms.core.JmsOperations",
			"org.springframework.pulsar.core.PulsarOperations", "org.springframework.data.redis.core.RedisOperations",
			"org.springframework.data.mongodb.core.MongoOperations", "org.springframework.mail.MailSender",
			"org.springframework.data.elasticsearch.core.ElasticsearchOperations", "java.net.http.HttpClient");

	private UnwatchedBeans() {
	}

	static List<String> in(ListableBeanFactory beans) {
		List<String> names = new ArrayList<>();
		for (String type : TYPES) {
			if (ClassUtils.isPresent(type, null)) {
				names.addAll(List.of(beans.getBeanNamesForType(ClassUtils.resolveClassName(type, null), true, false)));
			}
		}
		return names;
	}

}
