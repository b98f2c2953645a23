package skein.node.hazelcast;

import com.hazelcast.config.ClassFilter;
import com.hazelcast.config.JavaSerializationFilterConfig;

/**
 * The classes that members send each other by Java's serialization, which can do harm while it
 * reads others: failures, and what they are made of. All else has a serializer of its own.
 */
final class JavaClasses {
  /** A failure of another class is lost on its way, and the caller waits until its time is over. */
  private static final String[] ALLOWED = {
    "java.lang.AssertionError",
    "java.lang.ClassCastException",
    "java.lang.ClassNotFoundException",
    "java.lang.Error",
    "java.lang.Exception",
    "java.lang.IllegalArgumentException",
    "java.lang.IllegalMonitorStateException",
    "java.lang.IllegalStateException",
    "java.lang.IndexOutOfBoundsException",
    "java.lang.InterruptedException",
    "java.lang.LinkageError",
    "java.lang.NoClassDefFoundError",
    "java.lang.NullPointerException",
    "java.lang.OutOfMemoryError",
    "java.lang.ReflectiveOperationException",
    "java.lang.RuntimeException",
    "java.lang.SecurityException",
    "java.lang.StackOverflowError",
    "java.lang.StackTraceElement",
    "[Ljava.lang.StackTraceElement;",
    "java.lang.Throwable",
    "java.lang.UnsupportedOperationException",
    "java.lang.VirtualMachineError",
    "java.io.EOFException",
    "java.io.IOException",
    "java.io.InvalidClassException",
    "java.io.NotSerializableException",
    "java.io.ObjectStreamException",
    "java.net.ConnectException",
    "java.net.SocketException",
    "java.nio.channels.ClosedChannelException",
    "java.util.CollSer",
    "java.util.Collections$EmptyList",
    "java.util.ConcurrentModificationException",
    "java.util.NoSuchElementException",
    "java.util.concurrent.CancellationException",
    "java.util.concurrent.CompletionException",
    "java.util.concurrent.ExecutionException",
    "java.util.concurrent.RejectedExecutionException",
    "java.util.concurrent.TimeoutException",
    "com.hazelcast.core.ConsistencyLostException",
    "com.hazelcast.core.HazelcastException",
    "com.hazelcast.core.HazelcastInstanceNotActiveException",
    "com.hazelcast.core.HazelcastOverloadException",
    "com.hazelcast.core.IndeterminateOperationStateException",
    "com.hazelcast.core.LocalMemberResetException",
    "com.hazelcast.core.MemberLeftException",
    "com.hazelcast.core.OperationTimeoutException",
    "com.hazelcast.core.RuntimeInterruptedException",
    "com.hazelcast.internal.cluster.impl.ClusterTopologyChangedException",
    "com.hazelcast.internal.cluster.impl.ConfigMismatchException",
    "com.hazelcast.internal.cluster.impl.MasterNodeChangedException",
    "com.hazelcast.internal.cluster.impl.VersionMismatchException",
    "com.hazelcast.internal.partition.PartitionStateVersionMismatchException",
    "com.hazelcast.map.QueryResultSizeExceededException",
    "com.hazelcast.map.ReachedMaxSizeException",
    "com.hazelcast.map.impl.operation.EntryOffloadableLockMismatchException",
    "com.hazelcast.nio.serialization.HazelcastSerializationException",
    "com.hazelcast.partition.NoDataMemberInClusterException",
    "com.hazelcast.spi.exception.CallerNotMemberException",
    "com.hazelcast.spi.exception.DistributedObjectDestroyedException",
    "com.hazelcast.spi.exception.PartitionMigratingException",
    "com.hazelcast.spi.exception.ResponseAlreadySentException",
    "com.hazelcast.spi.exception.RetryableHazelcastException",
    "com.hazelcast.spi.exception.RetryableIOException",
    "com.hazelcast.spi.exception.ServiceNotFoundException",
    "com.hazelcast.spi.exception.TargetDisconnectedException",
    "com.hazelcast.spi.exception.TargetNotMemberException",
    "com.hazelcast.spi.exception.WrongTargetException",
    "com.hazelcast.splitbrainprotection.SplitBrainProtectionException",
    "com.hazelcast.transaction.TransactionException",
    "com.hazelcast.transaction.TransactionNotActiveException",
    "com.hazelcast.transaction.TransactionTimedOutException",
  };

  private JavaClasses() {}

  /** Without Hazelcast's own list, which allows whole packages. */
  static JavaSerializationFilterConfig filter() {
    var filter = new JavaSerializationFilterConfig().setDefaultsDisabled(true);
    filter.setWhitelist(new ClassFilter().addClasses(ALLOWED));
    return filter;
  }
}
