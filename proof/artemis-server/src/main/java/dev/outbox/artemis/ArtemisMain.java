package dev.outbox.artemis;

import java.nio.file.Path;
import org.apache.activemq.artemis.core.config.FileDeploymentManager;
import org.apache.activemq.artemis.core.config.impl.FileConfiguration;
import org.apache.activemq.artemis.core.config.impl.SecurityConfiguration;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.spi.core.security.ActiveMQJAASSecurityManager;
import org.apache.activemq.artemis.spi.core.security.jaas.InVMLoginModule;

/**
 * An Artemis broker with the configuration of a file. Who gives no name is {@code guest}; beside it
 * there is the user {@code app} with the password {@code secret}, each with a role of its name.
 */
public final class ArtemisMain {
  private ArtemisMain() {}

  /** Runs until the process ends; {@code words} is the file. */
  public static void main(String[] words) throws Exception {
    FileConfiguration configuration = new FileConfiguration();
    new FileDeploymentManager(Path.of(words[0]).toUri().toString())
        .addDeployable(configuration)
        .readConfiguration();
    SecurityConfiguration users = new SecurityConfiguration();
    users.addUser("guest", "guest");
    users.addRole("guest", "guest");
    users.setDefaultUser("guest");
    users.addUser("app", "secret");
    users.addRole("app", "app");
    new EmbeddedActiveMQ()
        .setConfiguration(configuration)
        .setSecurityManager(new ActiveMQJAASSecurityManager(InVMLoginModule.class.getName(), users))
        .start();
  }
}
