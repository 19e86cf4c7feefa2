import { type DynamicModule, Global, type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DatabaseModule } from '@vitrine/database';
import { FeedsModule, ModerationModule, TokensModule, UsersModule } from '@vitrine/domain';
import { createTransport, MessageTransport, MessagingConfig } from '@vitrine/messaging';
import { Health, provideConfig } from '@vitrine/runtime';
import { CommandFailure } from './admin-command';

/** A tool has no management port, and so nothing of the runtime but what others ask for. */
@Global()
@Module({ providers: [Health], exports: [Health] })
class ToolRuntimeModule {}

@Module({ imports: [UsersModule, TokensModule, ModerationModule, FeedsModule] })
class DomainContextModule {}

@Module({
  providers: [
    provideConfig(MessagingConfig),
    {
      provide: MessageTransport,
      inject: [MessagingConfig],
      useFactory: (config: MessagingConfig) => createTransport(config, 'admin'),
    },
  ],
})
class BusContextModule {}

/** How long the bus may take to answer at first. */
const BUS_PATIENCE_MS = 10_000;

/** Runs `work` with the domain's services on the database of `DATABASE_URL`. */
export const withDomain = (work: (context: INestApplicationContext) => Promise<void>): Promise<void> =>
  withModule(DomainContextModule, work);

/** As `withDomain`, with the services of a tool's own module, which leaves the database to this one. */
export const withModule = (
  module: Type<unknown>,
  work: (context: INestApplicationContext) => Promise<void>,
): Promise<void> =>
  withContext(
    {
      module: class ToolContextModule {},
      imports: [ToolRuntimeModule, DatabaseModule.forService('admin'), module],
    },
    work,
  );

/** Runs `work` with the bus of `BUS_URL`. Throws `CommandFailure` where it doesn't answer. */
export const withBus = (work: (transport: MessageTransport) => Promise<void>): Promise<void> =>
  withContext(BusContextModule, async (context) => {
    const transport = context.get(MessageTransport);
    try {
      await connectSoon(transport);
      await work(transport);
    } finally {
      await transport.close();
    }
  });

async function withContext(
  module: Type<unknown> | DynamicModule,
  work: (context: INestApplicationContext) => Promise<void>,
): Promise<void> {
  const context = await NestFactory.createApplicationContext(module, {
    logger: ['fatal'],
    abortOnError: false,
  });
  try {
    await work(context);
  } finally {
    await context.close();
  }
}

async function connectSoon(transport: MessageTransport): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new CommandFailure('The bus does not answer.')), BUS_PATIENCE_MS);
  });
  // Closing the transport, which follows a timeout, ends the attempt with a rejection nobody waits for any more.
  const connected = transport.connect();
  connected.catch(() => undefined);
  await Promise.race([connected, patience]).finally(() => clearTimeout(timer));
}
