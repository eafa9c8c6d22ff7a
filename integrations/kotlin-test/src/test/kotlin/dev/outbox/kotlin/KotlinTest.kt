package dev.outbox.kotlin

import dev.outbox.Outbox
import dev.outbox.Transactions
import dev.outbox.jdbc.JdbcStore
import dev.outbox.jdbc.Schema
import dev.outbox.message.Key
import dev.outbox.message.Message
import dev.outbox.message.MessageId
import dev.outbox.publish.Ack
import dev.outbox.testkit.InMemoryBroker
import dev.outbox.testkit.ManualRelay
import java.io.ByteArrayOutputStream
import java.io.File
import java.io.PrintStream
import java.nio.file.Path
import java.sql.Connection
import java.time.Instant
import java.util.UUID
import kotlin.io.path.writeText
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.h2.jdbcx.JdbcDataSource
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler
import org.jspecify.annotations.NullMarked
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

/** What docs/transactions.md shows of Kotlin, and what the types say about null. */
class KotlinTest {
  data class Order(val id: Int, val placedAt: Instant, val coupon: String?)

  private val order = Order(7, Instant.EPOCH, null)

  private val dataSource =
    JdbcDataSource().apply { setURL("jdbc:h2:mem:${UUID.randomUUID()};DB_CLOSE_DELAY=-1") }

  init {
    Schema.builder(dataSource).create()
    execute("CREATE TABLE orders (id INTEGER PRIMARY KEY)")
  }

  private val store = JdbcStore.create(dataSource)
  private val outbox = Outbox.create(store)
  private val broker = InMemoryBroker.create()

  @Test
  fun `a transaction needs no type argument`() {
    Transactions.run(dataSource, outbox) { connection ->
      insert(connection, order)
      outbox.enqueue(connection, Message.to("orders.placed").key("7").payload(order))
    }

    assertThat(published()).containsExactly("""{"id":7,"placedAt":"1970-01-01T00:00:00Z","coupon":null}""")
  }

  @Test
  fun `a transaction with a result names what it returns`() {
    val id =
      Transactions.call<MessageId, Exception>(dataSource, outbox) { connection ->
        outbox.enqueue(connection, Message.to("orders.placed").text("7"))
      }

    assertThat(published()).containsExactly("7")
    assertThat(broker.messages()[0].envelope().id()).isEqualTo(id)
  }

  @Test
  fun `what a transaction throws rolls back and is thrown on`() {
    assertThatThrownBy {
        Transactions.run(dataSource, outbox) { connection ->
          outbox.enqueue(connection, Message.to("orders.placed").text("7"))
          error("no stock")
        }
      }
      .isInstanceOf(IllegalStateException::class.java)
      .hasMessage("no stock")

    assertThat(published()).isEmpty()
  }

  @Test
  fun `what may be null is nullable and the rest is not`() {
    val key: Key? = Message.to("orders.placed").text("7").key()
    val topic: String = Message.to("orders.placed").text("7").topic()

    assertThat(key).isNull()
    assertThat(topic.length).isEqualTo(13)
  }

  @Test
  fun `null does not compile where the API takes or gives none`(@TempDir folder: Path) {
    assertThat(compilerOn("""Message.to("mails").text("7").key()?.value()""", folder)).isEmpty()
    assertThat(compilerOn("""Message.to(null)""", folder)).contains("non-null type")
    assertThat(compilerOn("""Message.to("mails").text("7").key().value()""", folder)).contains("nullable receiver")
  }

  private fun compilerOn(expression: String, folder: Path): String {
    val source = folder.resolve("Given.kt")
    source.writeText("import dev.outbox.message.Message\n\nval given = $expression\n")
    val classPath = listOf(Message::class, Unit::class, NullMarked::class).map { placeOf(it.java) }
    val arguments =
      listOf("-no-stdlib", "-nowarn", "-classpath", classPath.joinToString(File.pathSeparator), "-d", "$folder/classes")
    val said = ByteArrayOutputStream()
    K2JVMCompiler().exec(PrintStream(said), *arguments.toTypedArray(), source.toString())
    return said.toString()
  }

  private fun placeOf(type: Class<*>) = File(type.protectionDomain.codeSource.location.toURI())

  @Test
  fun `an answer is one of a closed set`() {
    fun told(ack: Ack): String =
      when (ack) {
        is Ack.Delivered -> "delivered"
        is Ack.Failed -> "failed"
        is Ack.Rejected -> "rejected"
        is Ack.Unavailable -> "unavailable"
        is Ack.NotSent -> "not sent"
      }

    assertThat(told(Ack.rejected("no"))).isEqualTo("rejected")
  }

  private fun insert(connection: Connection, order: Order) {
    connection.prepareStatement("INSERT INTO orders (id) VALUES (?)").use {
      it.setInt(1, order.id)
      it.executeUpdate()
    }
  }

  private fun execute(sql: String) {
    dataSource.connection.use { connection -> connection.createStatement().use { it.execute(sql) } }
  }

  private fun published(): List<String> {
    ManualRelay.of(store, broker.publisher()).use { it.drainNow() }
    return broker.messages().map { it.envelope().payload().text() }
  }
}
