package skein.node.config;

/** A value as it was written, and where: {@code conf/skein.yaml line 7}. */
record Setting(String text, String origin) {}
