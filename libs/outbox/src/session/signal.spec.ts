import { AsyncLocalStorage } from 'node:async_hooks';
import { createTestDatabase, eventually, type TestDatabase } from '@vitrine/testing';
import { Client } from 'pg';
import { Signal, throttled } from './signal';

describe('throttled', () => {
  it('calls outside the context of the request', () => {
    const context = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const call = throttled(() => seen.push(context.getStore()));

    context.run('request', call);

    expect(seen).toEqual([undefined]);
  });
});

describe('Signal', () => {
  let database: TestDatabase;
  let sender: Client;
  let listener: Client;
  let statements: number;
  let heard: string[];
  let signal: Signal;

  beforeAll(async () => {
    database = await createTestDatabase();
    [sender, listener] = [database.url, database.url].map(
      (connectionString) => new Client({ connectionString }),
    ) as [Client, Client];
    await Promise.all([sender.connect(), listener.connect()]);
    await listener.query('listen test');
    listener.on('notification', ({ payload = '' }) => heard.push(payload));
  });
  beforeEach(() => {
    [statements, heard] = [0, []];
    signal = new Signal('test', (text, values) => {
      statements++;
      return sender.query(text, values);
    });
  });
  afterAll(async () => {
    await Promise.all([sender.end(), listener.end()]);
    await database.drop();
  });

  it('sends the payloads of one turn together, each once', async () => {
    for (let call = 0; call < 100; call++) signal.send(`queue ${call % 3}`);
    await eventually(() => expect(heard.sort()).toEqual(['queue 0', 'queue 1', 'queue 2']));
    expect(statements).toBe(1);
  });

  it('sends what remains when it is flushed', async () => {
    for (const payload of ['one', 'another']) signal.send(payload);
    await signal.flush();
    await listener.query('select 1');
    expect(heard).toEqual(['one', 'another']);
  });

  it('ignores failures', async () => {
    signal = new Signal('test', () => Promise.reject(new Error('No connection')));
    signal.send();
    await expect(signal.flush()).resolves.toBeUndefined();
  });
});
