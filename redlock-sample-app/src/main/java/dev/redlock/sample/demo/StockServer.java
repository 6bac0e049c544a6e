package dev.redlock.sample.demo;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

import org.h2.tools.Server;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Lets another JVM on this machine reach the stock, which is in the memory of this JVM.
 */
@Configuration(proxyBeanMethods = false)
@FirstJvm
class StockServer implements DisposableBean {

	private static final String IN_MEMORY = "jdbc:h2:";

	private final JdbcConnectionDetails stock;

	private @Nullable Server server;

	StockServer(JdbcConnectionDetails stock) {
		this.stock = stock;
	}

	/**
	 * H2 reads the address to listen on once, when it loads its classes.
	 */
	@Bean
	static BeanFactoryPostProcessor stockServerListensToThisMachineOnly() {
		return (beans) -> System.setProperty("h2.bindAddress", "127.0.0.1");
	}

	/**
	 * The properties of an application that uses the same stock.
	 */
	Map<String, Object> properties() {
		Map<String, Object> properties = new LinkedHashMap<>();
		properties.put("spring.datasource.url", url());
		properties.put("spring.datasource.username", String.valueOf(this.stock.getUsername()));
		properties.put("spring.datasource.password", String.valueOf(this.stock.getPassword()));
		return properties;
	}

	@Override
	public void destroy() {
		if (this.server != null) {
			this.server.stop();
		}
	}

	private String url() {
		String url = this.stock.getJdbcUrl();
		if (!url.startsWith(IN_MEMORY + "mem:")) {
			return url;
		}
		String database = url.substring(IN_MEMORY.length()).split(";", 2)[0];
		return IN_MEMORY + server().getURL() + "/" + database;
	}

	private Server server() {
		if (this.server == null) {
			try {
				this.server = Server.createTcpServer("-tcpPort", "0", "-tcpDaemon").start();
			}
			catch (SQLException ex) {
				throw new IllegalStateException("The stock could not be opened for another JVM: " + ex.getMessage(),
						ex);
			}
		}
		return this.server;
	}

}
