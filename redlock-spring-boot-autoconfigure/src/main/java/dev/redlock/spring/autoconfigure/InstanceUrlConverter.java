package dev.redlock.spring.autoconfigure;

import org.springframework.core.convert.converter.Converter;

/**
 * Takes a text in place of an instance for its URL.
 */
final class InstanceUrlConverter implements Converter<String, RedlockInstance> {

	@Override
	public RedlockInstance convert(String url) {
		return RedlockInstance.ofUrl(url);
	}

}
