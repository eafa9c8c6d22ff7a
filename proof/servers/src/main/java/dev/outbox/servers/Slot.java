package dev.outbox.servers;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The place of one database's server in this JVM: empty, running, or failed for good. Thread-safe.
 */
final class Slot {
  private final Database database;
  private final ServerProduct serverProduct;
  private final Optional<Recipe> recipe;
  private @Nullable DatabaseServer server;
  private @Nullable ServerUnavailableException failure;

  Slot(Database database, ServerProduct serverProduct, Optional<Recipe> recipe) {
    this.database = database;
    this.serverProduct = serverProduct;
    this.recipe = recipe;
  }

  synchronized DatabaseServer server() {
    if (failure != null) {
      throw new ServerUnavailableException(String.valueOf(failure.getMessage()), failure);
    }
    if (server == null) {
      server = startOrRemember();
    }
    return server;
  }

  /** One beside it, which is not remembered; the same one where the environment names it. */
  DatabaseServer another() {
    return environment().isPresent()
        ? server()
        : new DatabaseServer(database, serverProduct, find());
  }

  synchronized Optional<String> whyNot() {
    if (failure != null) {
      return Optional.ofNullable(failure.getMessage());
    }
    if (server != null || environment().isPresent() || serverProduct.needsNoServer()) {
      return Optional.empty();
    }
    if (recipe.isEmpty()) {
      return containerWanted() ? Containers.whyNot() : Optional.of(noServer());
    }
    return containerWanted()
        ? Containers.whyNot().flatMap(noDocker -> recipe.get().whyNot())
        : recipe.get().whyNot();
  }

  private DatabaseServer startOrRemember() {
    try {
      return new DatabaseServer(database, serverProduct, find());
    } catch (ServerUnavailableException e) {
      failure = e;
      throw e;
    }
  }

  private ServerOrigin find() {
    return environment()
        .or(this::inProcess)
        .or(this::container)
        .or(() -> recipe.map(EmbeddedServer::start))
        .orElseThrow(() -> new ServerUnavailableException(whyNot().orElseGet(this::noServer)));
  }

  private Optional<ServerOrigin> environment() {
    return Optional.ofNullable(System.getenv(variable("_URL")))
        .map(url -> ServerOrigin.given(url, orEmpty("_USER"), orEmpty("_PASSWORD")));
  }

  private Optional<ServerOrigin> inProcess() {
    return serverProduct.needsNoServer()
        ? Optional.of(serverProduct.inProcess())
        : Optional.empty();
  }

  private Optional<ServerOrigin> container() {
    return containerWanted() && Containers.whyNot().isEmpty()
        ? Optional.of(Containers.start(database))
        : Optional.empty();
  }

  private boolean containerWanted() {
    return database == Database.ORACLE
        ? "docker".equals(System.getenv("OUTBOX_TEST_ORACLE"))
        : recipe.filter(InstalledRecipe.class::isInstance).isEmpty();
  }

  private String noServer() {
    return "no "
        + database
        + " server: set "
        + variable("_URL")
        + ", _USER and _PASSWORD (a user that may create users or databases), or set "
        + variable("=docker")
        + " where a Docker engine answers";
  }

  private String variable(String suffix) {
    return "OUTBOX_TEST_" + database.name().toUpperCase(Locale.ROOT) + suffix;
  }

  private String orEmpty(String suffix) {
    return Optional.ofNullable(System.getenv(variable(suffix))).orElse("");
  }
}
