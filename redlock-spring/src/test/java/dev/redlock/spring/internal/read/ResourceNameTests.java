package dev.redlock.spring.internal.read;

import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.interceptor.ValueStock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ResourceNameTests {

	private final SpecReading reading = new SpecReading(Map.of());

	private final Stock stock = new Stock();

	@Test
	void parametersAreFoundByName() {
		assertThat(names("byName", "42")).containsExactly("stock:42");
	}

	@Test
	void propertiesAndMethodsOfArgumentsAreRead() {
		assertThat(names("property", new Order("42", List.of("1", "2")))).containsExactly("order:42:2");
	}

	@Test
	void rootOffersArgumentsMethodAndTarget() {
		assertThat(names("root", "42")).containsExactly("root:42:warehouse");
	}

	@Test
	void beansAreReferredTo() {
		this.reading.beans.registerSingleton("zones", new Zones());
		assertThat(names("bean", "42")).containsExactly("zone-42");
	}

	@Test
	void severalNamesAreSorted() {
		assertThat(names("several", "9")).containsExactly("account:9", "audit");
	}

	@Test
	void collectionsAndArraysYieldOneNameEach() {
		assertThat(names("collection", List.of("b", "a", "b"))).containsExactly("a", "b");
		assertThat(names("array", (Object) new long[] { 2, 1 })).containsExactly("1", "2");
	}

	@Test
	void nullBlankAndEmptyPartsAreRefused() {
		assertThatRefused("byName", "is null", (Object) null);
		assertThatRefused("byName", "is blank", " ");
		assertThatRefused("byName", "several values inside of one name", List.of("a", "b"));
		assertThatRefused("byName", "several values inside of one name", Set.of("a"));
		assertThatRefused("byName", "several values inside of one name", Map.of("a", "b"));
		assertThatRefused("anything", "is null", Optional.empty());
		assertThatRefused("anything", "whose text differs on each machine", new Date());
		assertThatRefused("collection", "is empty", List.of());
		assertThatRefused("collection", "is null", Arrays.asList("a", null));
	}

	@Test
	void textThatDiffersOnEachMachineIsRefused() {
		assertThatRefused("anything", "whose text differs", new Object());
		assertThatRefused("anything", "whose text differs", (Object) new int[] { 1 });
		assertThatRefused("anything", "whose text differs", (Object) new byte[] { 1 });
		assertThatRefused("digest", "yields a byte[], whose text differs", (Object) new byte[] { 1, 2 });
	}

	@Test
	void recordWhoseTextDiffersInEachProcessIsRefused() {
		assertThatRefused("anything", "whose text differs", new Part("1", new byte[] { 1 }));
		assertThatRefused("anything", "whose text differs", new Part("1", Set.of("a", "b")));
		assertThatRefused("anything", "whose text differs", new Part("1", new Part("2", new Object())));
		assertThat(names("anything", new Part("1", new Part("2", null))))
			.containsExactly("x:Part[id=1, more=Part[id=2, more=null]]");
		assertThat(names("anything", new Tagged("1", Set.of("a", "b")))).containsExactly("x:1");
	}

	@Test
	void aValueClassOfKotlinIsTheNameThatItsPropertyIs() {
		ValueStock values = new ValueStock();
		List<?> skus = ValueStock.skus("1", "2");
		assertThat(this.reading.request(values, "first", skus).resources()).containsExactly("stock:1");
		assertThat(this.reading.request(values, "all", skus).resources()).containsExactly("1", "2");
		assertThat(this.reading.request(values, "property", skus).resources()).containsExactly("stock:1");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.reading.request(values, "missing", ValueStock.skus("1", null)))
			.withMessageContaining("is null");
	}

	@Test
	void failureOfAnExpressionCarriesItsCauseAndNamesMethodAndAttribute() {
		assertThatIllegalArgumentException().isThrownBy(() -> names("missing", new Order("42", List.of())))
			.withMessageContaining("In the resource of @RedLock on ")
			.withMessageContaining("Stock.missing(Order)")
			.withMessageContaining("#{#order.x}")
			.withMessageContaining("EL1008E: Property or field 'x' cannot be found on object of type");
		assertThatIllegalArgumentException().isThrownBy(() -> names("failing", "secret"))
			.withMessageContaining("The expression threw java.lang.NumberFormatException")
			.withMessageNotContaining("secret")
			.withCauseInstanceOf(NumberFormatException.class);
	}

	private List<String> names(String method, Object... args) {
		return this.reading.request(this.stock, method, args).resources();
	}

	private void assertThatRefused(String method, String what, Object arg) {
		assertThatIllegalArgumentException().isThrownBy(() -> names(method, arg)).withMessageContaining(what);
	}

	record Order(String sku, List<String> lines) {

		public String getSku() {
			return this.sku;
		}

	}

	record Part(String id, Object more) {

	}

	record Tagged(String id, Set<String> tags) {

		@Override
		public String toString() {
			return this.id;
		}

	}

	static final class Zones {

		public String of(String sku) {
			return "zone-" + sku;
		}

	}

	static class Stock {

		public String getName() {
			return "warehouse";
		}

		@RedLock("#{#digest}")
		void digest(byte[] digest) {
		}

		@RedLock("stock:#{#sku}")
		void byName(String sku) {
		}

		@RedLock("order:#{#order.sku}:#{#order.lines().get(1)}")
		void property(Order order) {
		}

		public int number(String text) {
			return Integer.parseInt(text);
		}

		@RedLock("order:#{#order.x}")
		void missing(Order order) {
		}

		@RedLock("#{#root.target.number(#text)}")
		void failing(String text) {
		}

		@RedLock("#{#root.method.name}:#{#root.args[0]}:#{#root.target.name}")
		void root(String sku) {
		}

		@RedLock("#{@zones.of(#sku)}")
		void bean(String sku) {
		}

		@RedLock({ "audit", "account:#{#id}" })
		void several(String id) {
		}

		@RedLock("#{#skus}")
		void collection(Collection<String> skus) {
		}

		@RedLock("#{#ids}")
		void array(long[] ids) {
		}

		@RedLock("x:#{#value}")
		void anything(Object value) {
		}

	}

}
