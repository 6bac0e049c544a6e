package dev.redlock.spring.interceptor;

import java.util.Map;

import dev.redlock.LockWorld;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.internal.expression.LockTextParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

class InvalidRedLockTests {

	private final ApplicationContextRunner runner = LockedContexts.runner(new LockWorld());

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|',
			textBlock = """
					BlankResource        | resource         | the name is blank                    | Name what is locked
					UnknownPlaceholder   | resource         | cannot be resolved             | ${name:default}
					VariableAmongQuotes  | resource         | outside of an expression       | Write #{'order:' + #id}, or the text without quotes
					UnknownVariable      | resource         | no parameter of that name      | Use #sku.
					VariableWithoutBrace | resource         | outside of an expression       | Write #{#sku}
					TypeReference        | resource         | names a type                   | call a method
					UnknownBean          | resource         | the bean 'nowhere'             | Write the name of an existing bean
					NameWithoutHash      | condition        | the unknown name count         | Write #count for a parameter
					UnparsableTtl        | ttl              | is not a duration                 | "10s", "PT10S"
					TtlOverMaximum       | attributes       | Ask for a shorter ttl | Change the annotation
					PermitsOfTwo         | permits          | counted under one name         | another bean
					TwoNumbers           | permits          | so neither method would count         | the same number of permits on all methods that lock
					OtherInstances       | instances        | both methods could get the lock     | the same instances on all methods that lock
					TwoAnnotations       | place            | two annotations that lock      | Name all resources in one
					TwoConditions        | condition        | neither true nor false         | such as "#quantity > 10"
					MaxHoldWithoutRenew  | maxHold          | renew is OFF                   | Leave out maxHold or renew
					ParameterInBraces    | resource         | the name would be the same for every call | Write #{#order}
					WaitOfFive           | waitFor          | "5" is 5 milliseconds          | Write "5s" or "5ms"
					SkipOfPrimitive      | onFailure        | return type int                | Optional
					SkipAndFallback      | fallback         | fallback is never called                   | Leave out onFailure or fallback
					MissingFallback      | fallback         | no method nowhere              | nowhere(String, LockNotAcquiredException)
					WrongFallbackType    | fallback         | returns int                    | Let the fallback return java.lang.String
					ParameterNamedRoot   | resource         | names the whole call           | #a0
					LockedFallback       | fallback         | instead has @RedLock too       | Remove @RedLock from the fallback
					""")
	void mistakeKeepsTheApplicationFromStarting(String bean, String attribute, String problem, String action)
			throws ClassNotFoundException {
		assertThatStartIsRefused(Mistakes.class.getName() + "$" + bean, attribute, problem, action);
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|',
			textBlock = """
					PrivateMethod        | place            | is private                     | make it public
					StaticMethod         | place            | is static                      | instance method
					FinalMethod          | place            | is final                       | Remove final
					FinalClass           | place            | of a final class               | not final
					Record               | place            | of a record                    | Make the record a class
					OfAnotherPackage     | place            | is package-private             | Make the method public
					InitMethod           | place            | a @PostConstruct method        | or use RedLockTemplate
					AutowiredMethod      | place            | a method that injects beans    | or use RedLockTemplate
					ResourceMethod       | place            | a method that injects beans    | or use RedLockTemplate
					AfterPropertiesSet   | place            | calls afterPropertiesSet()     | or use RedLockTemplate
					PreDestroyMethod     | place            | a @PreDestroy method           | or use RedLockTemplate
					DestroyMethod        | place            | calls destroy()                | or use RedLockTemplate
					CloseMethod          | place            | a destroy method               | or use RedLockTemplate
					UnproxiedBean        | place            | makes no proxy for the bean    | Move the method to another bean
					BeanMethod           | place            | a @Bean method                 | methods of the bean
					SpecialFlux          | return type      | only return a reactor.core     | Return reactor.core.publisher.Flux
					SpecialFuture        | return type      | can only return a CompletableFuture    | CompletableFuture
					PlainFuture          | return type      | only to a thread that blocks on it | CompletableFuture
					SkipOfSingle         | onFailure        | Single has no empty value        | Optional
					TwoInterfaces             | place       | Misplaced$Counts.sell            | on this method
					InterfaceAndSuperclass    | place       | Misplaced$Sells.sell             | on this method
					SuperclassOfTwoInterfaces | place       | Misplaced$Counts.sell            | on this method
					TypesOfTwoInterfaces      | place       | Misplaced$Counted                | on this method
					""")
	void annotationWhereItCouldNotLockKeepsTheApplicationFromStarting(String bean, String attribute, String problem,
			String action) throws ClassNotFoundException {
		assertThatStartIsRefused(Misplaced.class.getName() + "$" + bean, attribute, problem, action);
	}

	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|', textBlock = """
			FinalKotlinClass    | of a final class
			FinalKotlinFunction | is final
			""")
	void whatKotlinMakesFinalKeepsTheApplicationFromStarting(String bean, String problem) throws Exception {
		assertThatStartIsRefused("dev.redlock.spring.interceptor." + bean, "place", problem,
				"Declare the class and the method open, or apply the compiler plugin kotlin-spring");
	}

	@Test
	void finalOverloadsOfAnOpenKotlinFunctionAreBlamedOnJvmOverloads() throws Exception {
		assertThatStartIsRefused("dev.redlock.spring.interceptor.OverloadedKotlinFunction", "place",
				"@JvmOverloads copies @RedLock", "Remove @JvmOverloads");
	}

	@Test
	void aSkippedKotlinFunctionNeedsANullableReturnType() throws Exception {
		assertThatStartIsRefused("dev.redlock.spring.interceptor.SkippedKotlinFunction", "onFailure",
				"java.lang.String has no empty value", "a nullable type in Kotlin");
		this.runner.withBean(NullableKotlinFunctions.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void mistakeOnAMethodThatIsOnlyProxiedByInterfacesIsFound() {
		this.runner.withPropertyValues("spring.aop.proxy-target-class=false")
			.withBean(Misplaced.NotOnTheInterface.class)
			.run((context) -> assertThat(invalid(context.getStartupFailure()).action())
				.contains("spring.aop.proxy-target-class=true"));
	}

	@ParameterizedTest
	@ValueSource(classes = { Misplaced.SameOnBothInterfaces.class, Misplaced.OwnAnnotation.class,
			Misplaced.AnnotationWithNumbers.class })
	void sameAnnotationTwiceAndAnOverridingAnnotationAreAllowed(Class<?> bean) {
		this.runner.withBean(bean).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void mistakesOfALazyBeanAreNotThrownForTheNextBean() {
		this.runner
			.withBean("bad", Mistakes.TwoMistakes.class, Mistakes.TwoMistakes::new,
					(definition) -> definition.setLazyInit(true))
			.withBean("good", Stock.class, Stock::new, (definition) -> definition.setLazyInit(true))
			.run((context) -> {
				assertThat(invalid(catchThrowable(() -> context.getBean("bad")))).hasMessageContaining("TwoMistakes");
				assertThat(catchThrowable(() -> context.getBean("good"))).isNull();
			});
	}

	@Test
	void analysisSaysWhatIsWrongAndWhatToWrite() {
		this.runner.withBean(Mistakes.UnknownVariable.class).run((context) -> {
			InvalidRedLockException failure = invalid(context.getStartupFailure());
			assertThat(failure.description()).isEqualTo("The @RedLock on " + Mistakes.UnknownVariable.class.getName()
					+ ".sell(String) is wrong in its resource: the expression \"#skuu\" refers to #skuu, and the"
					+ " method has no parameter of that name.");
			assertThat(failure.action()).isEqualTo("Use #sku.");
		});
	}

	@Test
	void classWithoutParameterNamesIsToldHowToGetThem() throws Exception {
		AnnotatedMethod nameless = new AnnotatedMethod(Comparable.class.getMethod("compareTo", Object.class),
				Comparable.class, MergedAnnotation.of(RedLock.class, Map.of("resource", "#{#other}")), true);
		LockTextParser parser = new LockTextParser(new DefaultListableBeanFactory(), nameless);
		assertThatExceptionOfType(InvalidRedLockException.class).isThrownBy(() -> parser.parse("resource", "#{#other}"))
			.satisfies((failure) -> assertThat(failure.action()).contains("-parameters", "#a0"));
		assertThat(parser.parse("resource", "#{#a0}").isConstant()).isFalse();
	}

	private void assertThatStartIsRefused(String bean, String attribute, String problem, String action)
			throws ClassNotFoundException {
		Class<?> type = ClassUtils.forName(bean, getClass().getClassLoader());
		this.runner.withPropertyValues("blank:").withBean(type).run((context) -> {
			assertThat(context).hasFailed();
			InvalidRedLockException failure = invalid(context.getStartupFailure());
			assertThat(failure.description()).contains(type.getName() + ".", "in its " + attribute + ":", problem);
			assertThat(failure.action()).contains(action);
			assertThat(failure).hasMessageContaining(problem).hasMessageContaining(action);
		});
	}

	private static InvalidRedLockException invalid(Throwable failure) {
		Throwable cause = failure;
		while (cause != null && !(cause instanceof InvalidRedLockException)) {
			cause = cause.getCause();
		}
		assertThat(cause).as("an InvalidRedLockException in %s", failure).isNotNull();
		return (InvalidRedLockException) cause;
	}

}
