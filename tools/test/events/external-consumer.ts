import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestRabbitMq } from '@vitrine/testing';
import type { Channel, ChannelModel } from 'amqplib';
import { runAdmin } from '../../admin/src/run-admin';

/** Makes the broker's user of a team as docs/guides/events.md says; returns the address that the team gets. */
export async function addConsumer(broker: TestRabbitMq, ...args: readonly string[]): Promise<string> {
  const [lines, complaints]: [string[], string[]] = [[], []];
  const status = await runAdmin(['bus-consumer', ...args], {
    print: (line) => lines.push(line),
    complain: (line) => complaints.push(line),
  });
  expect([status, complaints.length]).toEqual([0, 1]);
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-definitions-'));
  writeFileSync(join(folder, 'definitions.json'), lines.join('\n'));
  await broker.control('import_definitions', join(folder, 'definitions.json'));
  rmSync(folder, { recursive: true });
  const url = new URL(broker.url);
  url.username = `external.${args[0]}`;
  url.password = complaints[0]!.split(' ').at(-1)!;
  return url.toString();
}

/** Opens a channel, and gives the reply code with which the broker closes it during `work`; undefined if it doesn't. */
export async function refusalOf(
  connection: ChannelModel,
  work: (channel: Channel) => unknown,
): Promise<number | undefined> {
  const channel = await connection.createConfirmChannel();
  const closed = new Promise<number>((resolve) => {
    channel.once('error', (error: { code: number }) => resolve(error.code));
  });
  const done = async (): Promise<undefined> => {
    await work(channel);
    await channel.waitForConfirms();
  };
  const code = await Promise.race([closed, done().catch(() => closed)]);
  if (code === undefined) await channel.close();
  return code;
}
