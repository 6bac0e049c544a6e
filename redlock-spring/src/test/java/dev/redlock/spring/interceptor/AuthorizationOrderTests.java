package dev.redlock.spring.interceptor;

import java.util.List;

import dev.redlock.Lease;
import dev.redlock.LockNotAcquiredException;
import dev.redlock.LockRequest;
import dev.redlock.RealTime;
import dev.redlock.Redlock;
import dev.redlock.memory.InMemoryNode;
import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.template.RedLockTemplate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

class AuthorizationOrderTests {

	private final RealTime time = new RealTime();

	private final List<InMemoryNode> nodes = List.of(new InMemoryNode("a", this.time));

	private final Redlock redlock = this.time.redlock(this.nodes);

	private final PlatformTransactionManager transactions = mock(PlatformTransactionManager.class);

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	@AfterEach
	void stop() {
		SecurityContextHolder.clearContext();
		this.context.close();
		this.time.close();
	}

	@Test
	void whoMayNotCallAMethodCannotLockIt() {
		Vault vault = vault(Security.class);
		try (Lease held = this.redlock.attemptAndWait(LockRequest.of("vault")).orThrow()) {
			login("GUEST");
			assertThat(held.isValid()).isTrue();
			assertThatExceptionOfType(AccessDeniedException.class).isThrownBy(vault::open);
		}
	}

	@Test
	void whoMayCallAMethodLocksIt() {
		Vault vault = vault(Security.class);
		login("CLERK");
		assertThat(vault.open()).isEqualTo("open");
		try (Lease held = this.redlock.attemptAndWait(LockRequest.of("vault")).orThrow()) {
			assertThat(held.isValid()).isTrue();
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(vault::open);
		}
	}

	@Test
	void lockIsBehindTheChecksAndOutsideOfTheTransaction() {
		Vault vault = vault(Security.class, Transactions.class);
		try (Lease held = this.redlock.attemptAndWait(LockRequest.of("vault")).orThrow()) {
			assertThat(held.isValid()).isTrue();
			login("GUEST");
			assertThatExceptionOfType(AccessDeniedException.class).isThrownBy(vault::openInTransaction);
			login("CLERK");
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(vault::openInTransaction);
		}
		verifyNoInteractions(this.transactions);
		assertThat(vault.openInTransaction()).isEqualTo("open");
		verify(this.transactions).getTransaction(any());
	}

	private Vault vault(Class<?>... configuration) {
		this.context.registerBean(Redlock.class, () -> this.redlock);
		this.context.registerBean(RedLockTemplate.class, () -> new RedLockTemplate(this.redlock, Runnable::run));
		this.context.registerBean("vault", Vault.class, Vault::new);
		this.context.registerBean(PlatformTransactionManager.class, () -> this.transactions);
		this.context.register(RedLockConfiguration.class);
		this.context.register(configuration);
		this.context.refresh();
		return this.context.getBean(Vault.class);
	}

	private static void login(String role) {
		SecurityContextHolder.getContext()
			.setAuthentication(new TestingAuthenticationToken("somebody", "", "ROLE_" + role));
	}

	static class Vault {

		@RedLock("vault")
		@PreAuthorize("hasRole('CLERK')")
		public String open() {
			return "open";
		}

		@RedLock("vault")
		@PreAuthorize("hasRole('CLERK')")
		@PostAuthorize("returnObject == 'open'")
		@Transactional
		public String openInTransaction() {
			return "open";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableMethodSecurity
	static class Security {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Transactions {

	}

}
