package dev.redlock.sample;

import dev.redlock.sample.shop.FlashSaleProperties;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;

/**
 * A shop that sells more than it has, unless it locks.
 */
@SpringBootApplication
@EnableConfigurationProperties(FlashSaleProperties.class)
public class SampleApplication {

	/**
	 * Opens the shop.
	 * @param args properties, such as {@code --server.port=8081}
	 */
	public static void main(String[] args) {
		SpringApplication.run(SampleApplication.class, args);
	}

}
