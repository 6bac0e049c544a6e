package dev.redlock.spring.interceptor;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import dev.redlock.CurrentLease;
import dev.redlock.LockWorld;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.internal.call.LockCall;
import dev.redlock.spring.template.TransactionLeases;
import io.micrometer.context.ContextRegistry;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.aop.support.AopUtils;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ResourceNameResolverTests {

	private final LockWorld world = new LockWorld();

	@Test
	void resolverHasTheLastWordOnWhatIsLocked() {
		AtomicReference<ResourceNameResolver.Call> seen = new AtomicReference<>();
		LockedContexts.runner(this.world).withBean(ResourceNameResolver.class, () -> (call) -> {
			seen.set(call);
			return call.names().stream().map((name) -> "tenant:" + name).toList();
		}).withBean(Warehouse.class).run((context) -> {
			assertThat(context.getBean(Warehouse.class).sell("42", null)).isEqualTo("[tenant:audit, tenant:stock:42]");
			assertThat(seen.get().method()).isEqualTo(Warehouse.class.getMethod("sell", String.class, String.class));
			assertThat(AopUtils.isAopProxy(seen.get().target())).isFalse();
			assertThat(seen.get().args()).containsExactly("42", null);
			assertThat(seen.get().names()).containsExactly("stock:42", "audit");
		});
	}

	@Test
	void aLeaseIsFoundByTheNameOfTheAnnotationForTheTenantThatIsCurrent() {
		AtomicReference<String> tenant = new AtomicReference<>("acme");
		TransactionTemplate transaction = new TransactionTemplate(
				new DataSourceTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:")));
		LockedContexts.runner(this.world)
			.withBean(ResourceNameResolver.class, () -> (call) -> List.of(tenant.get() + ":" + call.names().get(0)))
			.withBean(Warehouse.class)
			.run((context) -> transaction.executeWithoutResult((status) -> {
				for (String found : List.of(context.getBean(Warehouse.class).find("42"), Warehouse.lease("42"))) {
					assertThat(found).isEqualTo("[acme:stock:42]");
				}
				assertThat(TransactionLeases.forResource("acme:stock:42")).isPresent();
				assertThat(TransactionLeases.forResource("stock:43")).isEmpty();
				tenant.set("other");
				assertThat(TransactionLeases.forResource("stock:42")).isEmpty();
			}));
	}

	@Test
	void aCallFindsItsLeaseByItsNamesAfterANestedCallWithOtherNames() {
		TransactionTemplate transaction = new TransactionTemplate(
				new DataSourceTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:")));
		LockedContexts.runner(this.world)
			.withBean(ResourceNameResolver.class,
					() -> (call) -> call.method().getName().equals("audit") ? call.names()
							: List.of("acme:" + call.names().get(0)))
			.withBean(Warehouse.class)
			.run((context) -> {
				Warehouse warehouse = context.getBean(Warehouse.class);
				Runnable audit = () -> warehouse.audit("acme:stock:42");
				assertThat(warehouse.findAfter("42", audit)).isEqualTo("[acme:stock:42]");
				assertThat(transaction.<String>execute((status) -> warehouse.findAfter("42", audit)))
					.isEqualTo("[acme:stock:42]");
			});
	}

	@Test
	void aResolverThatReturnsNullIsNamedWithTheMethod() {
		LockedContexts.runner(this.world)
			.withBean(ResourceNameResolver.class, () -> (call) -> Collections.singletonList(null))
			.withBean(Warehouse.class)
			.run((context) -> assertThatIllegalArgumentException()
				.isThrownBy(() -> context.getBean(Warehouse.class).sell("42", null))
				.withMessageContaining("The ResourceNameResolver ")
				.withMessageContaining("Warehouse.sell("));
	}

	@Test
	void aResolverSeesTheTenantOfEachSubscriber() {
		ThreadLocal<String> tenant = new ThreadLocal<>();
		ContextRegistry.getInstance().registerThreadLocalAccessor("tenant", tenant);
		LockedContexts.runner(this.world)
			.withBean(ResourceNameResolver.class, () -> (call) -> List.of(tenant.get() + ":" + call.names().get(0)))
			.withBean(Warehouse.class)
			.run((context) -> {
				Mono<String> sale = context.getBean(Warehouse.class).sellLater("42");
				for (String name : List.of("acme", "other")) {
					assertThat(sale.contextWrite((of) -> of.put("tenant", name)).block())
						.isEqualTo("[" + name + ":stock:42]");
				}
			});
		ContextRegistry.getInstance().removeThreadLocalAccessor("tenant");
	}

	@Test
	void anErrorInTheNamesOfAPublisherIsSignalled() {
		LockedContexts.runner(this.world).withBean(Warehouse.class).run((context) -> {
			List<Throwable> signalled = new ArrayList<>();
			context.getBean(Warehouse.class).sellLater(null).onErrorContinue((failure, value) -> {
			}).subscribe((value) -> {
			}, signalled::add);
			assertThat(signalled).hasSize(1);
		});
	}

	@Test
	void aConditionThatIsFalseAtSubscriptionRunsThePublisherWithoutTheLock() {
		LockedContexts.runner(this.world)
			.withBean(Warehouse.class)
			.run((context) -> assertThat(context.getBean(Warehouse.class).sellIf(1).block()).isEqualTo("unlocked"));
	}

	@Test
	void twoResolversKeepTheApplicationFromStarting() {
		LockedContexts.runner(this.world)
			.withBean("one", ResourceNameResolver.class, () -> LockCall.AS_THE_ANNOTATION_SAYS)
			.withBean("two", ResourceNameResolver.class, () -> LockCall.AS_THE_ANNOTATION_SAYS)
			.withBean(Warehouse.class)
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("one,two"));
	}

	static class Warehouse {

		@RedLock({ "stock:#{#sku}", "audit" })
		public String sell(String sku, String note) {
			return CurrentLease.require().resources().toString();
		}

		@RedLock("stock:#{#sku}")
		public String find(String sku) {
			return lease(sku);
		}

		@RedLock("stock:#{#sku}")
		public String findAfter(String sku, Runnable nested) {
			nested.run();
			return lease(sku);
		}

		@RedLock("#{#name}")
		public void audit(String name) {
		}

		static String lease(String sku) {
			return TransactionLeases.require("stock:" + sku).resources().toString();
		}

		@RedLock("stock:#{#sku}")
		public Mono<String> sellLater(String sku) {
			return Mono.just(CurrentLease.require().resources().toString());
		}

		@RedLock(resource = "bulk", condition = "#quantity > 10")
		public Mono<String> sellIf(Integer quantity) {
			return Mono.just(CurrentLease.get().map(Object::toString).orElse("unlocked"));
		}

	}

}
