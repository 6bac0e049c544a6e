package org.springframework.graphql.data.method.annotation;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/**
 * Stands for the annotation of Spring for GraphQL, which is found by its name.
 */
@Retention(RetentionPolicy.RUNTIME)
public @interface SchemaMapping {

}
