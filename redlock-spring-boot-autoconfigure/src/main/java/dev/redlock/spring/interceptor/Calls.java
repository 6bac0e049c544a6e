package dev.redlock.spring.interceptor;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/**
 * Reads one method of a bean. Where nothing but {@code this} is of the bean's type, a
 * call of a method of that type is a call of {@code this}.
 */
final class Calls extends MethodVisitor {

	private final Set<String> own;

	private final Set<String> locked;

	private final String self;

	private final Consumer<String> result;

	private final Set<String> called = new LinkedHashSet<>();

	private boolean others;

	/**
	 * @param own the internal names of the bean's class and its superclasses
	 * @param locked the locked methods, by name and descriptor
	 * @param name the name of the method to read
	 * @param descriptor its descriptor
	 * @param result takes the names of the locked methods that are called
	 */
	Calls(Set<String> own, Set<String> locked, String name, String descriptor, Consumer<String> result) {
		super(SpringAsmInfo.ASM_VERSION);
		this.own = own;
		this.locked = locked;
		this.self = name + descriptor;
		this.result = result;
		this.others = Stream.of(Type.getArgumentTypes(descriptor)).anyMatch(this::isOwn);
	}

	@Override
	public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
		if (opcode == Opcodes.INVOKEVIRTUAL && this.own.contains(owner)) {
			call(name, descriptor);
		}
		this.others |= isOwn(Type.getReturnType(descriptor));
	}

	@Override
	public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
		for (Object argument : arguments) {
			// With the object in the descriptor it is this::sell, without it Stock::sell.
			if (argument instanceof Handle handle && handle.getTag() == Opcodes.H_INVOKEVIRTUAL
					&& this.own.contains(handle.getOwner())
					&& Stream.of(Type.getArgumentTypes(descriptor)).anyMatch(this::isOwn)) {
				call(handle.getName(), handle.getDesc());
			}
		}
	}

	@Override
	public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
		this.others |= isOwn(Type.getType(descriptor));
	}

	/**
	 * A cast, or a new object.
	 */
	@Override
	public void visitTypeInsn(int opcode, String type) {
		this.others |= isOwn(Type.getObjectType(type));
	}

	@Override
	public void visitEnd() {
		if (!this.others) {
			this.called.forEach(this.result);
		}
	}

	private void call(String name, String descriptor) {
		String signature = name + descriptor;
		// A method that calls itself holds the lock already, if it ever got it.
		if (this.locked.contains(signature) && !signature.equals(this.self)) {
			this.called.add(name);
		}
	}

	private boolean isOwn(Type type) {
		Type element = (type.getSort() == Type.ARRAY) ? type.getElementType() : type;
		return element.getSort() == Type.OBJECT && this.own.contains(element.getInternalName());
	}

}
