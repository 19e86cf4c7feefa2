import 'reflect-metadata';
import { Global, type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DatabaseModule } from '@vitrine/database';
import { Health } from '@vitrine/runtime';
import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from './test-database';

/** Services of libs/domain, wired by Nest, on a private database. */
export interface DomainContext {
  readonly database: TestDatabase;
  /** For preparations and checks that no service offers. */
  readonly dataSource: DataSource;
  get<Service>(type: Type<Service>): Service;
  stop(): Promise<void>;
}

@Global()
@Module({ providers: [Health], exports: [Health] })
class TestRuntimeModule {}

/** Starts some modules of libs/domain on an empty, migrated database. `env` sets what their configuration reads. */
export async function startDomain(
  modules: readonly Type<unknown>[],
  env: Readonly<Record<string, string>> = {},
): Promise<DomainContext> {
  const database = await createTestDatabase();
  Object.assign(process.env, { DATABASE_URL: database.url, ...env });
  let context: INestApplicationContext;
  try {
    context = await NestFactory.createApplicationContext(
      {
        module: class DomainUnderTest {},
        imports: [TestRuntimeModule, DatabaseModule.forService('test'), ...modules],
      },
      { logger: ['fatal'], abortOnError: false },
    );
  } catch (error) {
    await database.drop();
    throw error;
  }
  return {
    database,
    dataSource: context.get(DataSource),
    get: (type) => context.get(type, { strict: false }),
    stop: async () => {
      await context.close();
      await database.drop();
    },
  };
}

/** `startDomain` for the tests of a suite, which may use the result in their hooks. It stops after the tests. */
export function useDomain(...options: Parameters<typeof startDomain>): DomainContext {
  const domain = {} as DomainContext;
  beforeAll(async () => void Object.assign(domain, await startDomain(...options)));
  afterAll(() => domain.stop());
  return domain;
}
