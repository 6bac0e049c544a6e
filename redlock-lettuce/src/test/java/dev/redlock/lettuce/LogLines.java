package dev.redlock.lettuce;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/**
 * Keeps what a logger and those below it log during a test.
 */
public final class LogLines extends ListAppender<ILoggingEvent> implements BeforeEachCallback, AfterEachCallback {

	private final Logger logger;

	public LogLines(String logger) {
		this.logger = (Logger) LoggerFactory.getLogger(logger);
	}

	@Override
	public void beforeEach(ExtensionContext test) {
		start();
		this.logger.addAppender(this);
	}

	@Override
	public void afterEach(ExtensionContext test) {
		this.logger.detachAppender(this);
	}

}
