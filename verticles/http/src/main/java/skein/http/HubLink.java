package skein.http;

/** How messages reach one client of the hub. Confined to the event loop of its connection. */
interface HubLink {
  /** Whether the client has taken enough of what came before. */
  boolean isReady();

  /** Whether so much waits for the client that nothing more of it should be acted upon. */
  boolean isFull();

  /** Hands over whole messages, also when the link is not ready. */
  void write(String records);

  /**
   * Ends it after what was written.
   *
   * @param why shown in a frame that closes a WebSocket, at most 123 characters
   */
  void end(Ending why);

  /** Why a connection ends. */
  enum Ending {
    /** The client wants it. */
    CLIENT(1000, ""),
    /** The client does not keep to the protocol. */
    PROTOCOL(1002, "INVALID_REQUEST"),
    /** The node stops, or the connection is old. */
    AWAY(1001, "NOT_READY"),
    /** The client is silent, or does not read. */
    SILENT(1008, "TIMEOUT");

    private final int status;
    private final String code;

    Ending(int status, String code) {
      this.status = status;
      this.code = code;
    }

    /** The status of the frame that closes a WebSocket (RFC 6455, 7.4). */
    short status() {
      return (short) status;
    }

    String code() {
      return code;
    }
  }
}
