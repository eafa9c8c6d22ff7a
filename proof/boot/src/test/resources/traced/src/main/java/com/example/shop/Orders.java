package com.example.shop;

import dev.outbox.Outbox;
import dev.outbox.message.Message;
import io.micrometer.tracing.Tracer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;

/** From the controller to the listener. */
@RestController
public class Orders {
  private static final Logger log = LoggerFactory.getLogger(Orders.class);

  private final Outbox.Joined outbox;
  private final Tracer tracer;

  public Orders(Outbox.Joined outbox, Tracer tracer) {
    this.outbox = outbox;
    this.tracer = tracer;
  }

  @Transactional
  @PutMapping("/orders/{id}")
  public void place(@PathVariable("id") String id) {
    log.info("placed {} in trace {}.", id, trace());
    outbox.enqueue(Message.to("orders.placed").key(id).text(id));
  }

  @KafkaListener(topics = "orders.placed")
  public void bill(String id) {
    log.info("billed {} in trace {}.", id, trace());
  }

  private String trace() {
    return tracer.currentSpan().context().traceId();
  }
}
