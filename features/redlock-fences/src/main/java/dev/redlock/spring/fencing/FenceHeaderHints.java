package dev.redlock.spring.fencing;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/**
 * Lets Spring convert the header {@code Redlock-Fence} for controllers in a native image.
 */
final class FenceHeaderHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.reflection()
			.registerType(FenceHeader.class, (type) -> type.withMethod("valueOf",
					List.of(TypeReference.of(String.class)), ExecutableMode.INVOKE));
	}

}
