package skein.node.elsa;

/**
 * Why something is not taken.
 *
 * @param detail a sentence for people
 */
record Refusal(Reason reason, String detail) {}
