package dev.redlock.spring.interceptor;

import dev.redlock.spring.annotation.RedLock;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

class AotHintsTests {

	@Test
	void aPlainBeanGetsHints() {
		DefaultGenerationContext generation = process(Plain.class);
		assertThat(RuntimeHintsPredicates.reflection().onType(Item.class)).accepts(generation.getRuntimeHints());
	}

	@Test
	void aRepositoryMadeByAFactoryGetsHints() {
		DefaultGenerationContext generation = process(WithFactory.class);
		assertThat(RuntimeHintsPredicates.reflection().onType(RedLock.class)).as("annotation")
			.accepts(generation.getRuntimeHints());
		assertThat(RuntimeHintsPredicates.reflection().onType(Item.class)).as("the parameter of an expression")
			.accepts(generation.getRuntimeHints());
	}

	@ParameterizedTest
	@ValueSource(strings = { "org.springframework.transaction.support.TransactionSynchronizationManager",
			"reactor.core.publisher.Flux", "reactor.core.publisher.Mono", "reactor.core.scheduler.NonBlocking",
			"kotlinx.coroutines.reactor.MonoKt", "kotlinx.coroutines.Job", "kotlin.sequences.Sequence",
			"kotlin.jvm.functions.Function0", "org.springframework.web.context.request.async.DeferredResult",
			"org.springframework.http.HttpEntity" })
	void aTypeThatIsLookedUpByItsNameGetsAHint(String name) {
		RuntimeHints hints = new RuntimeHints();
		SpringFactoriesLoader.forResourceLocation(AotServices.FACTORIES_RESOURCE_LOCATION)
			.load(RuntimeHintsRegistrar.class)
			.forEach((registrar) -> registrar.registerHints(hints, getClass().getClassLoader()));
		assertThat(RuntimeHintsPredicates.reflection().onType(TypeReference.of(name))).accepts(hints);
	}

	private static DefaultGenerationContext process(Class<?> configuration) {
		GenericApplicationContext context = new AnnotationConfigApplicationContext();
		((AnnotationConfigApplicationContext) context).register(configuration);
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get("com.example", "App")), new InMemoryGeneratedFiles());
		new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		return generation;
	}

	@Configuration(proxyBeanMethods = false)
	static class Plain {

		@Bean
		Shelf shelf() {
			return new Shelf();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class WithFactory {

		@Bean
		static RepositoryFactory items() {
			return new RepositoryFactory();
		}

	}

	public static class Shelf {

		@RedLock("item:#{#item.id}")
		public void put(Item item) {
		}

	}

	public interface Items {

		@RedLock("item:#{#item.id}")
		void put(Item item);

	}

	public static class Item {

		public String getId() {
			return "1";
		}

	}

	public static class RepositoryFactory implements FactoryBean<Items> {

		@Override
		public Items getObject() {
			ProxyFactory factory = new ProxyFactory();
			factory.setInterfaces(Items.class);
			factory.addAdvice((MethodInterceptor) (call) -> null);
			return (Items) factory.getProxy();
		}

		@Override
		public Class<?> getObjectType() {
			return Items.class;
		}

	}

}
