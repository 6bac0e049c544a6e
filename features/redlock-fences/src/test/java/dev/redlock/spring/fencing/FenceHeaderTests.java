package dev.redlock.spring.fencing;

import java.util.Map;

import dev.redlock.CurrentLease;
import dev.redlock.LockWorld;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.web.server.ResponseStatusException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class FenceHeaderTests {

	@Test
	void anyNameOfAResourceComesThroughTheHeader() {
		FenceHeader sent = new FenceHeader(Map.of("device:7", 42L, "a=1, b=2 %", 3L, "Gerät+ß", Long.MAX_VALUE));
		assertThat(sent.toString()).matches("\\p{ASCII}+").contains("device%3A7=42", "a%3D1%2C%20b%3D2%20%25=3");
		assertThat(FenceHeader.valueOf(sent.toString())).isEqualTo(sent);
	}

	@Test
	void aNativeImageKeepsWhatSpringConvertsAHeaderWith() {
		RuntimeHints hints = new RuntimeHints();
		SpringFactoriesLoader.forResourceLocation(AotServices.FACTORIES_RESOURCE_LOCATION)
			.load(RuntimeHintsRegistrar.class)
			.forEach((registrar) -> registrar.registerHints(hints, getClass().getClassLoader()));
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(FenceHeader.class, "valueOf")).accepts(hints);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "42", "=42", " =42", "a=", "a=x", "a=1,", "a=1, a=2", "a=0", "a=-1", "%zz=1" })
	void aMalformedHeaderIsRefused(String value) {
		assertThatIllegalArgumentException().isThrownBy(() -> FenceHeader.valueOf(value));
	}

	@Test
	void aFenceIsFoundUnderALongNameToo() {
		LockWorld world = new LockWorld();
		String name = "device:" + "7".repeat(2000);
		new RedLockTemplate(world.redlock, Runnable::run).execute(world.now(name), (lease) -> {
			FenceHeader sent = FenceHeader.of(CurrentLease.all()).orElseThrow();
			assertThat(FenceHeader.valueOf(sent.toString()).require(name)).isEqualTo(lease.fence());
			return null;
		});
	}

	@Test
	void aFenceOfAnotherResourceIsRefused() {
		FenceHeader header = FenceHeader.valueOf("device%3A7=42");
		assertThat(header.require("device:7")).isEqualTo(42);
		assertThatExceptionOfType(ResponseStatusException.class).isThrownBy(() -> header.require("device:8"))
			.satisfies((ex) -> assertThat(ex.getStatusCode().value()).isEqualTo(400))
			.satisfies((ex) -> assertThat(ex.getBody().getDetail()).isEqualTo("The header Redlock-Fence has no fence"
					+ " for 'device:8'. Send the request under the lock on this name."));
	}

}
