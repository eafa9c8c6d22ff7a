package dev.outbox.rabbitmq;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** A connection that the publisher has made, and its socket to cut. */
record OwnConnection(Connection connection, SocketCut socket) {
  /** Where there are none, {@code nodes} are host and port of the factory. */
  static OwnConnection open(ConnectionFactory fitting, List<Address> nodes)
      throws IOException, TimeoutException {
    SocketCut socket = new SocketCut();
    ConnectionFactory factory = fitting.clone();
    factory.setSocketConfigurator(factory.getSocketConfigurator().andThen(socket));
    factory.setExceptionHandler(new CuttingHandler(factory.getExceptionHandler(), socket));
    Connection connection =
        nodes.isEmpty() ? factory.newConnection("outbox") : factory.newConnection(nodes, "outbox");
    return new OwnConnection(connection, socket);
  }
}
