package dev.redlock.spring.interceptor.weaving;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.redlock.spring.annotation.RedLock;

import org.springframework.core.annotation.AliasFor;

@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@RedLock(waitFor = "0")
@interface Night {

	@AliasFor(annotation = RedLock.class)
	String resource();

}
