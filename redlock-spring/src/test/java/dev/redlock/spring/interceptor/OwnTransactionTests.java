package dev.redlock.spring.interceptor;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.BiConsumer;

import javax.sql.DataSource;

import dev.redlock.LockWorld;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.template.RedLockOperations;
import dev.redlock.spring.template.RedLockTemplate;
import dev.redlock.spring.template.TransactionLeases;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.Mockito;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Locked methods that leave the transaction around them, or only read in it.
 */
class OwnTransactionTests {

	private final LockWorld world = new LockWorld();

	private final ApplicationContextRunner runner = LockedContexts.runner(this.world)
		.withUserConfiguration(Transactions.class)
		.withBean(Shop.class)
		.withBean(Journal.class)
		.withBean(Suspended.class);

	/** An application with a bean that decorates the template. */
	private final ApplicationContextRunner decorated = new ApplicationContextRunner()
		.withUserConfiguration(RedLockConfiguration.class, Transactions.class)
		.withBean(RedLockOperations.class,
				() -> wrap(RedLockOperations.class, new RedLockTemplate(this.world.redlock, Runnable::run)))
		.withBean(Shop.class)
		.withBean(Journal.class)
		.withBean(Suspended.class);

	@ParameterizedTest
	@EnumSource
	void lockEndsWithTheTransactionOfItsMethod(Call call) {
		this.runner.run((context) -> {
			outer(context.getBean(PlatformTransactionManager.class)).executeWithoutResult((status) -> {
				for (String sku : new String[] { "1", "2", "3" }) {
					call.make(context.getBean(Shop.class), context.getBean(Journal.class), sku);
					assertThat(this.world.isHeld(sku)).as(sku).isFalse();
				}
				context.getBean(Shop.class).sell("4");
				assertThat(this.world.isHeld("4")).as("takes part in the outer transaction").isTrue();
			});
			assertThat(this.world.isHeld("4")).isFalse();
		});
	}

	@Test
	void lossAfterItsCommitDoesNotRollBackTheOuterTransaction() {
		this.runner.run((context) -> {
			outer(context.getBean(PlatformTransactionManager.class)).executeWithoutResult((status) -> {
				context.getBean(JdbcClient.class).sql("insert into sold values ('outer')").update();
				context.getBean(Shop.class).sellInNewTransaction("42");
				this.world.time.advance(LockWorld.TOO_LONG);
			});
			assertThat(sold(context.getBean(JdbcClient.class))).isEqualTo(2);
		});
	}

	@Test
	void newTransactionDoesNotRunUnderALockThatCoversUncommittedData() {
		this.runner.run((context) -> {
			Shop shop = context.getBean(Shop.class);
			outer(context.getBean(PlatformTransactionManager.class)).executeWithoutResult((status) -> {
				shop.sell("42");
				assertThatIllegalStateException().isThrownBy(() -> shop.sellInNewTransaction("42"))
					.withMessage("A new transaction cannot run under the lock on [42] that this thread holds: the new "
							+ "transaction would not see the uncommitted writes of the outer transaction. Call the "
							+ "method in the outer transaction, or after its end.");
				assertThatIllegalStateException().isThrownBy(() -> shop.sellWithoutTransaction("42"))
					.withMessageContaining("[42]");
				shop.read("42");
				shop.sellInNewTransaction("43");
			});
			assertThat(this.world.isHeld("42")).isFalse();
			assertThat(sold(context.getBean(JdbcClient.class))).isEqualTo(2);
		});
	}

	@ParameterizedTest
	@EnumSource
	void noWorkReEntersWhatASuspendedTransactionKeeps(Suspension way) {
		this.runner.run((context) -> {
			Shop shop = context.getBean(Shop.class);
			Suspended suspended = context.getBean(Suspended.class);
			outer(context.getBean(PlatformTransactionManager.class)).executeWithoutResult((status) -> {
				shop.sell("42");
				assertThatIllegalStateException().isThrownBy(() -> way.call.accept(suspended, () -> shop.sell("42")))
					.withMessageStartingWith("A new transaction cannot run under the lock on [42] that this thread "
							+ "holds: the new transaction would not see the uncommitted writes of the outer "
							+ "transaction.");
				way.call.accept(suspended, () -> shop.sell("43"));
				shop.sell("42");
			});
			assertThat(this.world.isHeld("42")).isFalse();
			assertThat(sold(context.getBean(JdbcClient.class))).isEqualTo(3);
		});
	}

	@ParameterizedTest
	@EnumSource
	void norWhileTheCallThatTookTheLockStillRuns(Suspension way) {
		this.runner.run((context) -> {
			Shop shop = context.getBean(Shop.class);
			Suspended suspended = context.getBean(Suspended.class);
			outer(context.getBean(PlatformTransactionManager.class)).executeWithoutResult((status) -> {
				shop.sellAnd("42",
						() -> assertThatIllegalStateException()
							.isThrownBy(() -> way.call.accept(suspended, () -> shop.sell("42")))
							.withMessageContaining("[42]"));
				assertThat(this.world.isHeld("42")).isTrue();
			});
			assertThat(this.world.isHeld("42")).isFalse();
			assertThat(sold(context.getBean(JdbcClient.class))).isOne();
		});
	}

	@ParameterizedTest
	@EnumSource
	void norUnderTheLockAroundTheSuspendedTransaction(Suspension way) {
		this.runner.run((context) -> {
			Shop shop = context.getBean(Shop.class);
			Suspended suspended = context.getBean(Suspended.class);
			shop.sellAnd("42", () -> {
				assertThatIllegalStateException().isThrownBy(() -> way.call.accept(suspended, () -> shop.sell("42")))
					.withMessageContaining("[42]");
				way.call.accept(suspended, () -> shop.sell("43"));
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
					@Override
					public void afterCommit() {
						suspended.inNewTransaction(() -> shop.sell("42"));
					}
				});
			});
			assertThat(sold(context.getBean(JdbcClient.class))).isEqualTo(3);
		});
	}

	@Test
	void workOnTheSameNameRunsInANewTransactionAfterTheCommit() {
		this.runner.run((context) -> {
			Shop shop = context.getBean(Shop.class);
			Suspended suspended = context.getBean(Suspended.class);
			outer(context.getBean(PlatformTransactionManager.class)).executeWithoutResult((status) -> {
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
					@Override
					public void afterCommit() {
						suspended.inNewTransaction(() -> shop.sell("42"));
					}

					@Override
					public void afterCompletion(int status) {
						shop.sellInNewTransaction("42");
					}
				});
				shop.sell("42");
			});
			assertThat(this.world.isHeld("42")).isFalse();
			assertThat(sold(context.getBean(JdbcClient.class))).isEqualTo(3);
		});
	}

	@ParameterizedTest
	@EnumSource
	void theLockOfADecoratedTemplateEndsWithTheTransactionOfItsMethod(Call call) {
		this.decorated.run(
				(context) -> outer(context.getBean(PlatformTransactionManager.class)).executeWithoutResult((status) -> {
					call.make(context.getBean(Shop.class), context.getBean(Journal.class), "1");
					assertThat(this.world.isHeld("1")).isFalse();
				}));
	}

	@Test
	void noNewTransactionRunsUnderALockOfADecoratedTemplateThatCoversUncommittedData() {
		this.decorated.run((context) -> {
			Shop shop = context.getBean(Shop.class);
			outer(context.getBean(PlatformTransactionManager.class)).executeWithoutResult((status) -> {
				shop.sell("42");
				assertThatIllegalStateException().isThrownBy(() -> shop.sellInNewTransaction("42"))
					.withMessageContaining("A new transaction cannot run under the lock on [42]");
				shop.sellAnd("42",
						() -> assertThatIllegalStateException().isThrownBy(() -> shop.sellWithoutTransaction("42"))
							.withMessageContaining("[42]"));
			});
			assertThat(this.world.isHeld("42")).isFalse();
			assertThat(sold(context.getBean(JdbcClient.class))).isEqualTo(2);
		});
	}

	@Test
	void aTransactionManagerThatAPostProcessorWrapsIsObserved() {
		this.runner.withBean(Wrapping.class).run((context) -> {
			PlatformTransactionManager wrapped = context.getBean(PlatformTransactionManager.class);
			assertThat(wrapped).isNotInstanceOf(ConfigurableTransactionManager.class);
			Shop shop = context.getBean(Shop.class);
			Suspended suspended = context.getBean(Suspended.class);
			shop.lock("42", () -> outer(wrapped).executeWithoutResult((status) -> assertThatIllegalStateException()
				.isThrownBy(() -> suspended.inNewTransaction(() -> shop.lock("42", () -> {
				})))
				.withMessageContaining("A new transaction cannot run under the lock on [42]")));
		});
	}

	@Test
	void aLazyTransactionManagerIsObservedWhenItIsFirstNeeded() {
		LockedContexts.runner(this.world)
			.withUserConfiguration(Transactions.class)
			.withBean(Shop.class)
			.withBean(Suspended.class)
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> {
				assertThat(context.getBeanFactory().containsSingleton("transactionManager")).isFalse();
				Shop shop = context.getBean(Shop.class);
				Suspended suspended = context.getBean(Suspended.class);
				shop.sellAnd("42",
						() -> assertThatIllegalStateException()
							.isThrownBy(() -> suspended.inNewTransaction(() -> shop.sell("42")))
							.withMessageContaining("A new transaction cannot run under the lock on [42]"));
			});
	}

	@Test
	void aTransactionRemembersNothingOfItsSavepoints() {
		this.runner.run((context) -> {
			PlatformTransactionManager manager = context.getBean(PlatformTransactionManager.class);
			TransactionTemplate savepoint = new TransactionTemplate(manager,
					new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_NESTED));
			outer(manager).executeWithoutResult((status) -> {
				int before = TransactionSynchronizationManager.getSynchronizations().size();
				savepoint.executeWithoutResult((nested) -> {
				});
				assertThat(TransactionSynchronizationManager.getSynchronizations()).hasSize(before);
			});
		});
	}

	@Test
	void aMethodInANewTransactionOfAMockedTemplateReturnsWhatTheMockReturns() {
		new ApplicationContextRunner().withUserConfiguration(RedLockConfiguration.class, Transactions.class)
			.withBean(RedLockTemplate.class, () -> Mockito.mock(RedLockTemplate.class))
			.withBean(Shop.class)
			.run((context) -> {
				context.getBean(Shop.class).sellInNewTransaction("42");
				assertThat(sold(context.getBean(JdbcClient.class))).isZero();
			});
	}

	@Test
	void noNewTransactionOfAManagerThatIsNoBeanRunsUnderTheLockAroundAnotherOne() {
		this.runner.run((context) -> {
			Shop shop = context.getBean(Shop.class);
			TransactionTemplate noBean = outer(new DataSourceTransactionManager(context.getBean(DataSource.class)));
			TransactionTemplate another = new TransactionTemplate(noBean.getTransactionManager(),
					new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
			shop.lock("42", () -> noBean.executeWithoutResult((status) -> another.executeWithoutResult((inner) -> {
				shop.lock("43", () -> shop.lock("43", () -> {
				}));
				assertThatIllegalStateException().isThrownBy(() -> shop.lock("42", () -> {
				}))
					.withMessageContaining("The lock on [42] was taken outside of this transaction")
					.withMessageContaining("TransactionLeases.observe");
			})));
			shop.lock("42", () -> noBean.executeWithoutResult((status) -> shop.lock("42", () -> {
			})));
			// A transaction that is joined looks like a new one, as long as nobody
			// observes its manager.
			shop.lock("42", () -> noBean.executeWithoutResult((status) -> noBean.executeWithoutResult(
					(same) -> assertThatIllegalStateException().isThrownBy(() -> shop.lock("42", () -> {
					})).withMessageContaining("TransactionLeases.observe"))));
			TransactionLeases.observe((ConfigurableTransactionManager) noBean.getTransactionManager());
			shop.lock("42",
					() -> noBean.executeWithoutResult((status) -> noBean
						.executeWithoutResult((same) -> shop.lock("42", () -> assertThatIllegalStateException()
							.isThrownBy(() -> another.executeWithoutResult((inner) -> shop.lock("42", () -> {
							})))
							.withMessageContaining("A new transaction cannot run under the lock on [42]")))));
			assertThat(this.world.isHeld("42")).isFalse();
		});
	}

	@Test
	void norUnderTheLockOfTheMethodThatCallsIt() {
		this.runner.run((context) -> {
			Shop shop = context.getBean(Shop.class);
			assertThatIllegalStateException()
				.isThrownBy(() -> shop.sellAnd("42", () -> shop.sellInNewTransaction("42")))
				.withMessageContaining("[42]");
			assertThat(sold(context.getBean(JdbcClient.class))).isZero();
		});
	}

	private static <T> T wrap(Class<T> type, T wrapped) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
				try {
					return method.invoke(wrapped, arguments);
				}
				catch (InvocationTargetException ex) {
					throw ex.getCause();
				}
			}));
	}

	private static TransactionTemplate outer(PlatformTransactionManager manager) {
		return new TransactionTemplate(manager);
	}

	private static int sold(JdbcClient jdbc) {
		return jdbc.sql("select count(*) from sold").query(Integer.class).single();
	}

	enum Call {

		NEW((shop, sku) -> shop.sellInNewTransaction(sku)), META((shop, sku) -> shop.sellApart(sku)),
		WITHOUT((shop, sku) -> shop.sellWithoutTransaction(sku)), READ_ONLY((shop, sku) -> shop.read(sku)), TYPE(null);

		private final BiConsumer<Shop, String> call;

		Call(BiConsumer<Shop, String> call) {
			this.call = call;
		}

		void make(Shop shop, Journal journal, String sku) {
			if (this.call == null) {
				journal.write(sku);
			}
			else {
				this.call.accept(shop, sku);
			}
		}

	}

	enum Suspension {

		NEW(Suspended::inNewTransaction), WITHOUT(Suspended::withoutTransaction);

		private final BiConsumer<Suspended, Runnable> call;

		Suspension(BiConsumer<Suspended, Runnable> call) {
			this.call = call;
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@Transactional(propagation = Propagation.REQUIRES_NEW)
	@interface Apart {

	}

	static class Shop {

		private final JdbcClient jdbc;

		Shop(JdbcClient jdbc) {
			this.jdbc = jdbc;
		}

		@RedLock("#{#sku}")
		@Transactional
		public void sell(String sku) {
			this.jdbc.sql("insert into sold values (?)").param(sku).update();
		}

		@RedLock("#{#sku}")
		public void lock(String sku, Runnable work) {
			work.run();
		}

		@RedLock("#{#sku}")
		@Transactional
		public void sellAnd(String sku, Runnable more) {
			sell(sku);
			more.run();
		}

		@RedLock("#{#sku}")
		@Transactional(propagation = Propagation.REQUIRES_NEW)
		public void sellInNewTransaction(String sku) {
			sell(sku);
		}

		@RedLock("#{#sku}")
		@Apart
		public void sellApart(String sku) {
			sell(sku);
		}

		@RedLock("#{#sku}")
		@Transactional(propagation = Propagation.NOT_SUPPORTED)
		public void sellWithoutTransaction(String sku) {
			sell(sku);
		}

		@RedLock("#{#sku}")
		@Transactional(readOnly = true)
		public void read(String sku) {
		}

	}

	static class Wrapping implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			return (bean instanceof PlatformTransactionManager manager)
					? wrap(PlatformTransactionManager.class, manager) : bean;
		}

	}

	static class Suspended {

		@Transactional(propagation = Propagation.REQUIRES_NEW)
		public void inNewTransaction(Runnable work) {
			work.run();
		}

		@Transactional(propagation = Propagation.NOT_SUPPORTED)
		public void withoutTransaction(Runnable work) {
			work.run();
		}

	}

	@Transactional(propagation = Propagation.REQUIRES_NEW)
	static class Journal {

		@RedLock("#{#sku}")
		public void write(String sku) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Transactions {

		@Bean
		EmbeddedDatabase dataSource() {
			return new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.H2).generateUniqueName(true).build();
		}

		@Bean
		DataSourceTransactionManager transactionManager(EmbeddedDatabase dataSource) {
			return new DataSourceTransactionManager(dataSource);
		}

		@Bean
		JdbcClient jdbcClient(EmbeddedDatabase dataSource) {
			JdbcClient client = JdbcClient.create(dataSource);
			client.sql("create table sold (sku varchar(10))").update();
			return client;
		}

	}

}
