package dev.outbox.jms;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;

/** A factory of nobody that is known. It connects to nothing. */
final class OtherFactory implements ConnectionFactory {
  @Override
  public Connection createConnection() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Connection createConnection(String user, String password) {
    throw new UnsupportedOperationException();
  }

  @Override
  public JMSContext createContext() {
    throw new UnsupportedOperationException();
  }

  @Override
  public JMSContext createContext(String user, String password) {
    throw new UnsupportedOperationException();
  }

  @Override
  public JMSContext createContext(String user, String password, int mode) {
    throw new UnsupportedOperationException();
  }

  @Override
  public JMSContext createContext(int mode) {
    throw new UnsupportedOperationException();
  }
}
