package dev.redlock.spring.interceptor;

import java.util.ArrayList;
import java.util.List;

import dev.redlock.RealTime;
import dev.redlock.Redlock;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.template.RedLockTemplate;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/**
 * Two application contexts, each with a lock of its own over the same nodes, and one
 * database.
 */
final class TwoHosts implements AutoCloseable {

	private final RealTime time = new RealTime();

	private final List<InMemoryNode> nodes = List.of(new InMemoryNode("a", this.time), new InMemoryNode("b", this.time),
			new InMemoryNode("c", this.time));

	private final EmbeddedDatabase database = new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.H2)
		.generateUniqueName(true)
		.build();

	private final JdbcClient jdbc = JdbcClient.create(this.database);

	private final List<AnnotationConfigApplicationContext> contexts = new ArrayList<>();

	TwoHosts() {
		this.jdbc.sql("create table counter (amount int)").update();
		this.jdbc.sql("insert into counter values (0)").update();
	}

	void start(Class<?>... configuration) {
		for (int host = 0; host < 2; host++) {
			AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
			Redlock redlock = this.time.redlock(this.nodes);
			context.registerBean(Redlock.class, () -> redlock);
			context.registerBean(RedLockTemplate.class, () -> new RedLockTemplate(redlock, Runnable::run));
			context.registerBean(PlatformTransactionManager.class,
					() -> new DataSourceTransactionManager(this.database));
			context.registerBean("counter", Counter.class, () -> new Counter(this.jdbc));
			context.register(RedLockConfiguration.class);
			context.register(configuration);
			context.refresh();
			this.contexts.add(context);
		}
	}

	<T> T bean(int host, Class<T> type) {
		return this.contexts.get(host).getBean(type);
	}

	int counted() {
		return this.jdbc.sql("select amount from counter").query(Integer.class).single();
	}

	boolean isHeld(String resource) {
		return this.nodes.stream().anyMatch((node) -> node.tokens().containsKey("redlock:" + resource));
	}

	@Override
	public void close() {
		this.contexts.forEach(AnnotationConfigApplicationContext::close);
		this.time.close();
		this.database.shutdown();
	}

	static class Counter {

		private final JdbcClient jdbc;

		Counter(JdbcClient jdbc) {
			this.jdbc = jdbc;
		}

		@RedLock(resource = "counter", waitFor = "20s", retryDelay = "1ms")
		@Transactional
		public int increment() {
			return incrementWithoutLock();
		}

		/**
		 * Reads and writes apart, as a business method does.
		 */
		public int incrementWithoutLock() {
			int amount = this.jdbc.sql("select amount from counter").query(Integer.class).single();
			return this.jdbc.sql("update counter set amount = ?").param(amount + 1).update();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Transactions {

	}

}
