package dev.outbox.programs

import dev.outbox.Outbox
import dev.outbox.Relay
import dev.outbox.Transactions
import dev.outbox.jdbc.JdbcStore
import dev.outbox.jdbc.Schema
import dev.outbox.message.Message
import dev.outbox.publish.Publisher
import dev.outbox.servers.Sandbox
import java.sql.Connection
import java.sql.Timestamp
import java.time.Instant
import javax.sql.DataSource

/** Kotlin over JDBC, with a data class as payload. */
class KotlinProgramTest : ProgramCases() {
  override fun start(sandbox: Sandbox, broker: Publisher): Program = KotlinProgram(sandbox.pool(5), broker)

  private data class Placed(val id: String, val cents: Int, val placedAt: Instant)

  private class KotlinProgram(private val dataSource: DataSource, broker: Publisher) : Program {
    private val outbox: Outbox
    private val relay: Relay

    init {
      Schema.builder(dataSource).create()
      val store = JdbcStore.create(dataSource)
      outbox = Outbox.create(store)
      relay = Relay.builder(store, broker).start()
    }

    override fun place(order: Order) {
      Transactions.run(dataSource, outbox) { connection -> write(connection, order) }
    }

    override fun placeAndRefuse(order: Order) {
      Transactions.run(dataSource, outbox) { connection ->
        write(connection, order)
        throw Program.RefusedException()
      }
    }

    override fun placeWithoutTransaction(order: Order) {
      dataSource.connection.use { connection -> outbox.enqueue(connection, message(order)) }
    }

    private fun write(connection: Connection, order: Order) {
      connection.prepareStatement("INSERT INTO orders VALUES (?, ?, ?)").use { insert ->
        insert.setString(1, order.id)
        insert.setInt(2, order.cents)
        insert.setTimestamp(3, Timestamp.from(order.placedAt))
        insert.executeUpdate()
      }
      outbox.enqueue(connection, message(order))
    }

    private fun message(order: Order) =
      Message.to("orders.placed").key(order.id).payload(Placed(order.id, order.cents, order.placedAt))

    override fun close() = relay.close()
  }
}
