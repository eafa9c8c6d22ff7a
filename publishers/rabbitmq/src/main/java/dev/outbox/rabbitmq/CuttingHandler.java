package dev.outbox.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Consumer;
import com.rabbitmq.client.ExceptionHandler;
import com.rabbitmq.client.TopologyRecoveryException;

/** Another handler, and a cut of the socket before the client ends a connection that was lost. */
record CuttingHandler(ExceptionHandler handler, SocketCut socket) implements ExceptionHandler {
  @Override
  public void handleUnexpectedConnectionDriverException(Connection lost, Throwable thrown) {
    socket.cut();
    handler.handleUnexpectedConnectionDriverException(lost, thrown);
  }

  @Override
  public void handleReturnListenerException(Channel channel, Throwable thrown) {
    handler.handleReturnListenerException(channel, thrown);
  }

  @Override
  public void handleConfirmListenerException(Channel channel, Throwable thrown) {
    handler.handleConfirmListenerException(channel, thrown);
  }

  @Override
  public void handleBlockedListenerException(Connection connection, Throwable thrown) {
    handler.handleBlockedListenerException(connection, thrown);
  }

  @Override
  public void handleConsumerException(
      Channel channel, Throwable thrown, Consumer consumer, String tag, String method) {
    handler.handleConsumerException(channel, thrown, consumer, tag, method);
  }

  @Override
  public void handleConnectionRecoveryException(Connection connection, Throwable thrown) {
    handler.handleConnectionRecoveryException(connection, thrown);
  }

  @Override
  public void handleChannelRecoveryException(Channel channel, Throwable thrown) {
    handler.handleChannelRecoveryException(channel, thrown);
  }

  @Override
  public void handleTopologyRecoveryException(
      Connection connection, Channel channel, TopologyRecoveryException thrown) {
    handler.handleTopologyRecoveryException(connection, channel, thrown);
  }
}
