package dev.redlock.spring.interceptor;

import java.util.ArrayList;
import java.util.List;

import dev.redlock.spring.interceptor.TwoHosts.Counter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class AdviceOrderTests {

	private final TwoHosts hosts = new TwoHosts();

	@AfterEach
	void stop() {
		this.hosts.close();
	}

	@ParameterizedTest
	@ValueSource(
			classes = { TwoHosts.DefaultOrder.class, TwoHosts.TransactionFirst.class, TwoHosts.TransactionLast.class })
	void lockIsOutsideOfTheTransactionWhateverItsOrder(Class<?> configuration, CapturedOutput output) {
		this.hosts.start(configuration);
		assertThat(chain()).containsExactly("RedLockInterceptor", "TransactionInterceptor");
		assertThat(output).doesNotContain("was around its lock");
	}

	@ParameterizedTest
	@ValueSource(classes = { TwoHosts.ProxyAroundTheLock.class, TwoHosts.FirstOfAll.class })
	void transactionThatWasPutAroundTheLockIsNoticedAndMadeRight(Class<?> configuration, CapturedOutput output) {
		this.hosts.start(configuration);
		assertThat(chain()).containsExactly("RedLockInterceptor", "TransactionInterceptor");
		assertThat(output).contains("'counter'", Counter.class.getName(), "was around its lock",
				"The lock has been put where it belongs", "give it a higher precedence");
	}

	@Test
	void proxyThatCannotBeChangedIsNoticed(CapturedOutput output) {
		this.hosts.start(TwoHosts.FrozenProxyAroundTheLock.class);
		assertThat(chain()).containsExactly("TransactionInterceptor", "RedLockInterceptor");
		assertThat(output).contains("'counter'", "was around its lock", "frozen", "a higher precedence");
	}

	private List<String> chain() {
		List<String> chain = new ArrayList<>();
		Object current = this.hosts.bean(0, Counter.class);
		while (current instanceof Advised proxy) {
			for (Advisor advisor : proxy.getAdvisors()) {
				chain.add(advisor.getAdvice().getClass().getSimpleName());
			}
			current = AopProxyUtils.getSingletonTarget(current);
		}
		return chain.stream().filter((name) -> !name.startsWith("ExposeInvocation")).toList();
	}

}
