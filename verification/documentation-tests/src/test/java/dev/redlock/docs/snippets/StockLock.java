package dev.redlock.docs.snippets;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.redlock.spring.annotation.RedLock;

import org.springframework.core.annotation.AliasFor;

@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@RedLock(waitFor = "1s", renew = RedLock.Renew.ON)
@interface StockLock {

	@AliasFor(annotation = RedLock.class, attribute = "resource")
	String[] resource();

	@AliasFor(annotation = RedLock.class)
	String ttl() default "10s";

}
