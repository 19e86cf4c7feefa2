import { type DynamicModule, Global, type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { withDeadline } from '@vitrine/concurrency';
import { DatabaseModule } from '@vitrine/database';
import {
  AccountRulingsModule,
  AdministrationModule,
  AdmissionModule,
  AuditLogModule,
  CachePurgesModule,
  FeedsModule,
  ModerationModule,
  PasswordsModule,
  QuotasModule,
  RanksModule,
  TokensModule,
  UsersModule,
} from '@vitrine/domain';
import { MessageTransport, MessagingConfig } from '@vitrine/messaging';
import { createTransport } from '@vitrine/outbox';
import { Health, provideConfig, PublicUrlsModule } from '@vitrine/runtime';
import { CommandFailure } from './admin-command';

/** The part of the runtime that other modules need; a command has no management port. */
@Global()
@Module({ providers: [Health], exports: [Health] })
class ToolRuntimeModule {}

@Module({
  imports: [
    AuditLogModule,
    CachePurgesModule,
    AdministrationModule,
    AdmissionModule,
    UsersModule,
    AccountRulingsModule,
    TokensModule,
    ModerationModule,
    PasswordsModule,
    PublicUrlsModule,
    FeedsModule,
    QuotasModule,
    RanksModule,
  ],
})
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

/** Longest wait for the connection to the bus. */
const BUS_PATIENCE_MS = 10_000;

/** Runs `work` with the domain's services on the database of `DATABASE_URL`. */
export const withDomain = (work: (context: INestApplicationContext) => Promise<void>): Promise<void> =>
  withModule(DomainContextModule, work);

/** Like `withDomain`, with the services of another module, which gets its database here. */
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

/** Runs `work` with the bus of `BUS_URL`. Throws `CommandFailure` when it doesn't answer. */
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
  const late = (): Error => new CommandFailure('The bus does not answer.');
  await withDeadline({ ms: BUS_PATIENCE_MS, late }, () => transport.connect());
}
