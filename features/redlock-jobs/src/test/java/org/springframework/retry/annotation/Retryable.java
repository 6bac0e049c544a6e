package org.springframework.retry.annotation;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/**
 * Stands for the annotation of Spring Retry, which is not on the class path.
 */
@Retention(RetentionPolicy.RUNTIME)
public @interface Retryable {

}
