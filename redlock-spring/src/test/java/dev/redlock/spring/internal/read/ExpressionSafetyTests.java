package dev.redlock.spring.internal.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.redlock.spring.annotation.RedLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * An expression reads, and what users pass is text and never an expression.
 */
class ExpressionSafetyTests {

	private final SpecReading reading = new SpecReading(Map.of("region", "eu"));

	private final Shelf shelf = new Shelf();

	@ParameterizedTest
	@ValueSource(strings = { "#{T(java.lang.Runtime).getRuntime()}", "${region}", "#{@zones}", "#root.target",
			"}:fence", "{redlock-node}", "' + 'x" })
	void whatIsPassedInIsTextAndNeverEvaluated(String sku) {
		assertThat(names("byName", sku)).containsExactly("shelf:" + sku);
	}

	@ParameterizedTest
	@ValueSource(strings = { "classOfArgument", "classLoader", "forName", "staticMethod", "function" })
	void noExpressionGetsAtClassesOrFunctions(String method) {
		assertThatIllegalArgumentException().isThrownBy(() -> names(method, "42"))
			.withMessageContaining("cannot be evaluated");
	}

	@ParameterizedTest
	@ValueSource(strings = { "increments", "assignsProperty" })
	void noExpressionAssigns(String method) {
		List<String> list = new ArrayList<>(List.of("1"));
		assertThatIllegalArgumentException().isThrownBy(() -> names(method, list))
			.withMessageContaining("cannot be evaluated");
		assertThat(list).containsExactly("1");
	}

	private List<String> names(String method, Object argument) {
		return this.reading.request(this.shelf, method, argument).resources();
	}

	static class Shelf {

		private String name = "top";

		public String getName() {
			return this.name;
		}

		public void setName(String name) {
			this.name = name;
		}

		@RedLock("shelf:#{#sku}")
		void byName(String sku) {
		}

		@RedLock("#{#sku.class.name}")
		void classOfArgument(String sku) {
		}

		@RedLock("#{#root.method.declaringClass.classLoader}")
		void classLoader(String sku) {
		}

		@RedLock("#{#sku.getClass().forName('java.lang.Runtime')}")
		void forName(String sku) {
		}

		@RedLock("#{#sku.valueOf(1)}")
		void staticMethod(String sku) {
		}

		@RedLock("#{#hash(#sku)}")
		void function(String sku) {
		}

		@RedLock("#{#list[0]++}")
		void increments(List<String> list) {
		}

		@RedLock("#{#root.target.name = 'x'}")
		void assignsProperty(List<String> list) {
		}

	}

}
