package dev.redlock.spring.interceptor;

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;

/**
 * Finds, in the byte code of a bean, where it calls its own locked methods past its
 * proxy. Finds only what is certain: a method that has any other object of the bean's
 * type at hand, such as the bean injected into itself, may well call that.
 */
final class SelfInvocations {

	private static final Logger logger = LoggerFactory.getLogger(RedLockBeanPostProcessor.class);

	private SelfInvocations() {
	}

	/**
	 * Warns of the calls that are not locked.
	 * @param locked the locked methods of one bean
	 */
	static void warn(List<AnnotatedMethod> locked) {
		for (SelfInvocation call : find(locked)) {
			logger
				.warn("{}.{} calls {} of its own, which has @RedLock: this call does not pass through the proxy and is"
						+ " not locked. Move one of the two to another bean, use RedLockTemplate inside, or weave"
						+ " RedLockAspect at load time.", call.type().getName(), call.caller(), call.callee());
		}
	}

	/**
	 * The calls that are not locked.
	 * @param locked the locked methods of one bean
	 */
	static Set<SelfInvocation> find(List<AnnotatedMethod> locked) {
		Set<SelfInvocation> found = new LinkedHashSet<>();
		Class<?> beanClass = locked.get(0).targetClass();
		Set<String> own = new LinkedHashSet<>();
		for (Class<?> type = beanClass; type != null && type != Object.class; type = type.getSuperclass()) {
			own.add(Type.getInternalName(type));
		}
		Set<String> signatures = locked.stream()
			.map((each) -> each.method().getName() + Type.getMethodDescriptor(each.method()))
			.collect(Collectors.toUnmodifiableSet());
		for (Class<?> type = beanClass; type != null && type != Object.class; type = type.getSuperclass()) {
			read(type, new Caller(type, own, signatures, found));
		}
		return found;
	}

	private static void read(Class<?> type, ClassVisitor visitor) {
		try (InputStream code = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
			if (code != null) {
				new ClassReader(code).accept(visitor, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
			}
		}
		catch (IOException | IllegalArgumentException ex) {
			// It is no more than a hint.
			logger.debug("The byte code of {} cannot be read", type.getName(), ex);
		}
	}

	/**
	 * A call that does not pass through the proxy.
	 *
	 * @param type the class of the caller
	 * @param caller the name of the calling method
	 * @param callee the name of the locked method
	 */
	record SelfInvocation(Class<?> type, String caller, String callee) {

	}

	private static final class Caller extends ClassVisitor {

		private final Class<?> type;

		private final Set<String> own;

		private final Set<String> signatures;

		private final Set<SelfInvocation> found;

		Caller(Class<?> type, Set<String> own, Set<String> signatures, Set<SelfInvocation> found) {
			super(SpringAsmInfo.ASM_VERSION);
			this.type = type;
			this.own = own;
			this.signatures = signatures;
			this.found = found;
		}

		@Override
		public @Nullable MethodVisitor visitMethod(int access, String name, String descriptor,
				@Nullable String signature, String @Nullable [] exceptions) {
			if ((access & Opcodes.ACC_BRIDGE) != 0) {
				// Written by the compiler, and called through the proxy if at all.
				return null;
			}
			return new Calls(this.own, this.signatures, name, descriptor,
					(callee) -> this.found.add(new SelfInvocation(this.type, plain(name), callee)));
		}

		/**
		 * The method in which a lambda was written.
		 */
		private static String plain(String name) {
			String[] parts = name.split("\\$");
			return (parts.length == 3 && parts[0].equals("lambda")) ? parts[1] : name;
		}

	}

}
