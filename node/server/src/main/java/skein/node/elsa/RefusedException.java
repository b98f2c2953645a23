package skein.node.elsa;

/** Something of Elsa's that cannot be taken. */
final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Refusal refusal;

  RefusedException(Refusal refusal) {
    super(refusal.detail());
    this.refusal = refusal;
  }

  RefusedException(Reason reason, String detail) {
    this(new Refusal(reason, detail));
  }

  Refusal refusal() {
    return refusal;
  }
}
