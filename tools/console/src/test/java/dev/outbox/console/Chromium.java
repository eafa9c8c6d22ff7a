package dev.outbox.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;

/** A Chromium of the system's packages, without a window. */
final class Chromium implements AutoCloseable {
  private static final Path BROWSER = Path.of("/usr/bin/chromium");
  private static final File DRIVER = new File("/usr/bin/chromedriver");
  private static final Path PICTURES = Path.of("target/screenshots");
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);
  private static final String AXE = axe();

  /** The views of the page; a dead letter's own comes after them. */
  static final List<String> VIEWS =
      List.of("overview", "lanes", "topics", "held", "dead", "doctor", "schema");

  private final ChromeDriver driver;

  private Chromium(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Without the system's chromium and chromium-driver the tests are skipped. */
  static void assumeHere() {
    Assumptions.assumeTrue(Files.exists(BROWSER) && DRIVER.exists(), "chromium is not here");
  }

  static Chromium start() {
    ChromeOptions options = new ChromeOptions();
    options.setBinary(BROWSER.toString());
    options.addArguments(
        "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,900");
    ChromeDriverService service =
        new ChromeDriverService.Builder().usingDriverExecutable(DRIVER).build();
    return new Chromium(new ChromeDriver(service, options));
  }

  private static String axe() {
    try (InputStream in = Chromium.class.getResourceAsStream("/axe.min.js")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Light or dark, on a desk or a phone. */
  void looks(String look) {
    String scheme = look.contains("dark") ? "dark" : "light";
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    if (look.contains("phone")) {
      driver.executeCdpCommand(
          "Emulation.setDeviceMetricsOverride",
          Map.of("width", 375, "height", 812, "deviceScaleFactor", 1, "mobile", true));
    }
  }

  /** As on a machine whose clock is that far ahead. */
  void clockAhead(Duration by) {
    String source = "const told = Date.now; Date.now = () => told() + " + by.toMillis();
    driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", source));
  }

  void open(URI place) {
    driver.get("about:blank");
    driver.get(place.toString());
  }

  /** Milliseconds from the request for the page until it showed something. */
  long firstPaint() {
    until("it has painted", () -> painted() >= 0);
    return painted();
  }

  private long painted() {
    Object time =
        run(
            "return Math.round(performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
                + " ?? -1)");
    return ((Number) time).longValue();
  }

  /**
   * Goes to a view once the page is open, and waits until it shows: for how many milliseconds, by
   * the page's own clock.
   */
  long go(String view) {
    until("it is open", () -> !text("#mode").isEmpty());
    Object time =
        driver.executeAsyncScript(
            """
            const view = arguments[0], done = arguments[1], main = document.getElementById('main');
            location.hash = '#/nothing';
            setTimeout(() => {
              main.replaceChildren();
              const begin = performance.now();
              new MutationObserver((changes, observer) => {
                const text = main.innerText;
                if (main.querySelector('h1') && !/Examining|Looking at|Waiting for/.test(text)) {
                  observer.disconnect();
                  requestAnimationFrame(() => done(Math.round(performance.now() - begin)));
                }
              }).observe(main, { childList: true, subtree: true, characterData: true });
              location.hash = '#/' + view;
            }, 100);
            """,
            view);
    return ((Number) time).longValue();
  }

  void await(String text) {
    until(text, () -> text("body").contains(text));
  }

  void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("%s, in: %s", what, text("body")).isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(30));
    }
  }

  String text(String selector) {
    Object text = run("return document.querySelector(arguments[0])?.innerText ?? ''", selector);
    return String.valueOf(text);
  }

  Object run(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  /** What another page gets of a request: refused, opaque, or a text. */
  Object attack(String request) {
    return driver.executeAsyncScript(
        "const done = arguments[0];"
            + request
            + ".then(async r => done(r.type === 'opaque' ? 'opaque' : await r.text()), () =>"
            + " done('refused'))");
  }

  /** Types into a field, and presses Enter. */
  void type(String selector, String text) {
    until(selector, () -> !driver.findElements(By.cssSelector(selector)).isEmpty());
    WebElement field = driver.findElement(By.cssSelector(selector));
    field.clear();
    field.sendKeys(text, Keys.ENTER);
  }

  void click(String button) {
    use(By.xpath("//button[text()='" + button + "']"), WebElement::click);
  }

  /** The page may draw an element anew between a look for it and its use. */
  private void use(By element, Consumer<WebElement> use) {
    until(
        element.toString(),
        () -> {
          try {
            use.accept(driver.findElement(element));
            return true;
          } catch (StaleElementReferenceException drawnAnew) {
            return false;
          }
        });
  }

  /** A button by its name for who cannot see, by the keyboard. */
  void press(String name) {
    By button = By.cssSelector("button[aria-label='" + name + "']");
    until(name, () -> !driver.findElements(button).isEmpty());
    use(button, found -> found.sendKeys(Keys.ENTER));
  }

  /** As another tab in front of it does. */
  void hide(boolean hidden) {
    run(
        "Object.defineProperty(document, 'hidden', { value: arguments[0], configurable: true });"
            + " document.dispatchEvent(new Event('visibilitychange'))",
        hidden);
  }

  void awaitFocus(String name) {
    until(
        name + " has the focus",
        () -> name.equals(run("return document.activeElement.getAttribute('aria-label')")));
  }

  String title() {
    return driver.getTitle();
  }

  String address() {
    return driver.getCurrentUrl();
  }

  /** How much wider the page is than the screen. */
  long overflow() {
    return (Long)
        run("return document.documentElement.scrollWidth - document.documentElement.clientWidth");
  }

  /** What axe finds. */
  List<?> faultsForPeople() {
    run(AXE);
    return (List<?>)
        driver.executeAsyncScript(
            "const done = arguments[0]; axe.run(document).then(r => done(r.violations.map(v => v.id"
                + " + ' ' + v.nodes.map(n => n.html).join(' | '))))");
  }

  /** What the browser wrote to its console: errors, and what its policy refused. */
  List<String> complaints() {
    return driver.manage().logs().get("browser").getAll().stream()
        .map(LogEntry::getMessage)
        .toList();
  }

  void picture(String name) throws IOException {
    Files.createDirectories(PICTURES);
    Files.write(PICTURES.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
  }

  @Override
  public void close() {
    driver.quit();
  }

  /** A page elsewhere. */
  record Closing(HttpServer server) implements AutoCloseable {
    URI place() {
      return URI.create("http://localhost:" + server.getAddress().getPort() + "/");
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }
}
