package skein.node.bench;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import skein.node.dev.CannotStartException;

/** Figures of the JVM of a node on this machine. */
final class NodeJvm implements AutoCloseable {
  private static final String COMMANDS = "com.sun.management:type=DiagnosticCommand";
  private static final String THREADS = "java.lang:type=Threading";

  private final ProcessHandle process;
  private final JMXConnector connector;
  private final MBeanServerConnection beans;

  private NodeJvm(ProcessHandle process, JMXConnector connector) throws IOException {
    this.process = process;
    this.connector = connector;
    this.beans = connector.getMBeanServerConnection();
  }

  @SuppressWarnings("BanJNDI") // the address is told by a process that this one has started
  static NodeJvm attach(ProcessHandle process) {
    try {
      var machine = VirtualMachine.attach(Long.toString(process.pid()));
      try {
        var url = new JMXServiceURL(machine.startLocalManagementAgent());
        return new NodeJvm(process, JMXConnectorFactory.connect(url));
      } finally {
        machine.detach();
      }
    } catch (IOException | AttachNotSupportedException e) {
      throw new CannotStartException(
          "The node (process " + process.pid() + ") tells nothing: " + e, e);
    }
  }

  ProcessHandle process() {
    return process;
  }

  /** Ever allocated on the heap, by all threads, those that ended too. */
  long allocatedBytes() {
    return number("TotalThreadAllocatedBytes");
  }

  int threads() {
    return (int) number("ThreadCount");
  }

  private long number(String attribute) {
    try {
      return ((Number) beans.getAttribute(new ObjectName(THREADS), attribute)).longValue();
    } catch (JMException | IOException e) {
      throw gone(e);
    }
  }

  long heapUsedBytes() {
    try {
      return memory().getHeapMemoryUsage().getUsed();
    } catch (IOException e) {
      throw gone(e);
    }
  }

  /** The heap after a full collection, which this requests: it stops the node for a moment. */
  long liveBytes() {
    try {
      var memory = memory();
      memory.gc();
      return memory.getHeapMemoryUsage().getUsed();
    } catch (IOException e) {
      throw gone(e);
    }
  }

  /** As {@code jcmd} would. */
  void command(String name, String... arguments) {
    try {
      beans.invoke(
          new ObjectName(COMMANDS),
          name,
          new Object[] {arguments},
          new String[] {String[].class.getName()});
    } catch (JMException | IOException e) {
      throw gone(e);
    }
  }

  private MemoryMXBean memory() throws IOException {
    return ManagementFactory.newPlatformMXBeanProxy(
        beans, ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
  }

  /** The size of each part of the heap after its last collection. */
  long heapAfterCollectionBytes() {
    try {
      long bytes = 0;
      for (var pool : ManagementFactory.getPlatformMXBeans(beans, MemoryPoolMXBean.class)) {
        var usage = pool.getType() == MemoryType.HEAP ? pool.getCollectionUsage() : null;
        bytes += usage == null ? 0 : usage.getUsed();
      }
      return bytes;
    } catch (IOException e) {
      throw gone(e);
    }
  }

  private CannotStartException gone(Exception e) {
    return new CannotStartException(
        "The node (process " + process.pid() + ") no longer answers: " + e, e);
  }

  @Override
  public void close() {
    try {
      connector.close();
    } catch (IOException _) {
      // the node has ended
    }
  }
}
