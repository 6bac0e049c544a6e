package dev.redlock.test.assertj;

import org.mockito.Mockito;

import org.springframework.util.ClassUtils;

/**
 * Recognizes mocks. Loads without Mockito, and then there are none.
 */
final class Mocks {

	private static final boolean PRESENT = ClassUtils.isPresent("org.mockito.Mockito", Mocks.class.getClassLoader());

	private Mocks() {
	}

	static boolean isMock(Object bean) {
		return PRESENT && Mockito.mockingDetails(bean).isMock();
	}

}
