import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel, ChannelModel, GetMessage, Message } from 'amqplib';
import type { DeadLetter } from '../transport/message-transport';
import type { Link } from './rabbitmq-link';
import { envelopeOf, HEADER, malformed, numberIn, textIn } from './message-headers';
import { deadQueue, DELIVERY_LIMIT } from './topology';

const LIST_LIMIT = 1_000;
const GIVE_BACK_TIMEOUT_MS = 3_000;

/**
 * Lists `<queue>.dead` and leaves the messages there. AMQP can't read without taking, so it takes them without
 * acknowledgement and gives them back: another operator may not see them meanwhile, but a crash loses none.
 * Calls `heard` after each answer of the broker.
 */
export async function listDeadQueue(
  model: ChannelModel,
  queue: string,
  heard: () => void,
): Promise<readonly DeadLetter[]> {
  return withChannel(model, async (channel) => {
    const messages: GetMessage[] = [];
    while (messages.length < LIST_LIMIT) {
      const message = await channel.get(deadQueue(queue));
      heard();
      if (!message) break;
      messages.push(message);
    }
    await giveBack(channel, queue, messages, heard);
    const letters = messages.map((message) => deadLetterOf(queue, message));
    return letters.sort((a, b) => (a.died_at < b.died_at ? -1 : 1));
  });
}

/**
 * Removes a dead letter from `<queue>.dead`; to replay it, it is published to its queue before, with confirmation. Returns
 * false if there is no such letter. Calls `heard` after each answer of the broker.
 */
export async function takeFromDeadQueue(
  { model, publisher }: Link,
  id: string,
  heard: () => void,
  purpose: 'replay' | 'discard',
): Promise<boolean> {
  const queue = /^([^/]+)\//.exec(id)?.[1];
  if (!queue || !(await countMessages(model, deadQueue(queue)))) return false;
  return withChannel(model, async (channel) => {
    const passed: GetMessage[] = [];
    let found: GetMessage | undefined;
    while (!found) {
      const message = await channel.get(deadQueue(queue));
      heard();
      if (!message) break;
      if (idOf(queue, message) === id) found = message;
      else passed.push(message);
    }
    if (found) {
      const { messageId, type } = found.properties;
      if (purpose === 'replay') await publisher.publish('', queue, found.content, { messageId, type });
      channel.ack(found);
    }
    await giveBack(channel, queue, passed, heard);
    return found !== undefined;
  });
}

/** Gives messages back, and waits until the quorum queue shows them again, which it does with a delay. */
async function giveBack(
  channel: Channel,
  queue: string,
  messages: readonly GetMessage[],
  heard: () => void,
): Promise<void> {
  messages.forEach((message) => channel.nack(message, false, true));
  const deadline = Date.now() + GIVE_BACK_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const { messageCount } = await channel.checkQueue(deadQueue(queue));
    heard();
    if (messageCount >= messages.length) return;
    await sleep(10);
  }
}

/** Counts the waiting messages of a queue; undefined if it doesn't exist. */
export async function countMessages(model: ChannelModel, queue: string): Promise<number | undefined> {
  return withChannel(model, async (channel) => {
    try {
      return (await channel.checkQueue(queue)).messageCount;
    } catch (error) {
      if ((error as { code?: unknown }).code === 404) return undefined;
      throw error;
    }
  });
}

/** Runs `work` on a new channel and closes it, which gives back all messages that aren't acknowledged. */
export async function withChannel<Result>(
  model: ChannelModel,
  work: (channel: Channel) => Promise<Result>,
): Promise<Result> {
  const channel = await model.createChannel();
  channel.on('error', () => undefined);
  let open = true;
  channel.on('close', () => (open = false));
  try {
    return await work(channel);
  } finally {
    if (open) await channel.close().catch(() => undefined);
  }
}

function deadLetterOf(queue: string, message: Message): DeadLetter {
  const death = message.properties.headers?.['x-death']?.[0];
  return {
    id: idOf(queue, message),
    queue,
    envelope: envelopeOf(message) ?? malformed(message),
    // Without a reason of ours, the broker itself has dead-lettered it.
    reason: textIn(message, HEADER.reason) ?? `Given up by the broker: ${death?.reason ?? 'reason unknown'}`,
    attempts: numberIn(message, HEADER.attempts) || DELIVERY_LIMIT,
    died_at: textIn(message, HEADER.diedAt) ?? new Date((death?.time.value ?? 0) * 1000).toISOString(),
  };
}

function idOf(queue: string, message: Message): string {
  const { messageId }: { messageId?: unknown } = message.properties;
  const id = typeof messageId === 'string' && messageId !== '' ? messageId : digest(message.content);
  return `${queue}/${id}`;
}

const digest = (content: Buffer): string => createHash('sha256').update(content).digest('hex').slice(0, 32);
