package dev.redlock.sample.demo;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Protects the buttons of the page, and logs its address.
 */
@Configuration(proxyBeanMethods = false)
@FirstJvm
class PageConfiguration implements WebMvcConfigurer {

	private static final Logger logger = LoggerFactory.getLogger(PageConfiguration.class);

	@Override
	public void addInterceptors(InterceptorRegistry registry) {
		registry.addInterceptor(new LocalOnly()).addPathPatterns("/demo/**");
	}

	@EventListener
	void ready(ApplicationReadyEvent event) {
		String port = event.getApplicationContext().getEnvironment().getProperty("local.server.port");
		if (port != null) {
			logger.info(
					"The page is on http://localhost:{}. Another port: ./mvnw -q -pl redlock-sample-app -am spring-boot:run"
							+ " -Dspring-boot.run.arguments=--server.port=8081",
					port);
		}
	}

}
