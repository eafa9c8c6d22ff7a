package com.example.start;

import java.lang.management.ManagementFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/** Starts, tells in milliseconds what that took, and ends. */
@SpringBootApplication
public class StartApplication {
  public static void main(String[] args) {
    SpringApplication application = new SpringApplication(StartApplication.class);
    application.addListeners((ApplicationListener<ApplicationReadyEvent>) StartApplication::tell);
    application.run(args).close();
  }

  private static void tell(ApplicationReadyEvent event) {
    long wall = event.getTimeTaken().toMillis();
    long main = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1_000_000;
    long process = ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis();
    int classes = ManagementFactory.getClassLoadingMXBean().getLoadedClassCount();
    System.out.printf("ready in %d, %d, %d, %d%n", wall, main, process, classes);
  }
}
