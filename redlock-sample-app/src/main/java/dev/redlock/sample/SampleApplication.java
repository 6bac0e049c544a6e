package dev.redlock.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * A shop that sells more than it has, unless it locks.
 */
@SpringBootApplication
public class SampleApplication {

	/**
	 * Opens the shop.
	 * @param args properties, such as {@code --server.port=8081}
	 */
	public static void main(String[] args) {
		SpringApplication.run(SampleApplication.class, args);
	}

}
