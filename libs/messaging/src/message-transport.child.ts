import type { MessageTransport, QueueDefinition } from './message-transport';
import { PostgresTransport } from './postgres/postgres-transport';
import { RabbitMqTransport } from './rabbitmq/rabbitmq-transport';

export type TransportAddress =
  { readonly kind: 'postgres'; readonly url: string } | { readonly kind: 'rabbitmq'; readonly url: string };

export type ChildOrder =
  /** Takes `prefetch` messages and never settles them. */
  | { readonly kind: 'hold'; readonly queue: string; readonly prefetch: number }
  /** Ends itself by SIGKILL with the first message in hand. */
  | { readonly kind: 'die'; readonly queue: string; readonly prefetch: number }
  | { readonly kind: 'declare'; readonly queues: readonly QueueDefinition[] };

export interface ChildMessage {
  readonly kind: 'holding' | 'declared';
}

/** A consumer in a process of its own, for the contract to kill. */
async function main(text: string): Promise<void> {
  const { address, order }: { address: TransportAddress; order: ChildOrder } = JSON.parse(text);
  const options = { url: address.url, name: 'child' };
  const transport: MessageTransport =
    address.kind === 'postgres' ? new PostgresTransport(options) : new RabbitMqTransport(options);
  const tell = (message: ChildMessage): void => void process.send?.(message);

  await transport.connect();
  if (order.kind === 'declare') {
    await transport.declare(order.queues);
    tell({ kind: 'declared' });
    return;
  }
  let held = 0;
  await transport.consume(order.queue, order.prefetch, async () => {
    if (order.kind === 'die') process.kill(process.pid, 'SIGKILL');
    if (++held === order.prefetch) tell({ kind: 'holding' });
    await new Promise(() => undefined);
  });
}

void main(process.argv[2] ?? '');
