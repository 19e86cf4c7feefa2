import type { MessageTransport, QueueDefinition } from '../transport/message-transport';

export type ChildOrder =
  /** Receives `prefetch` messages and never settles them. */
  | { readonly kind: 'hold'; readonly queue: string; readonly prefetch: number }
  /** Kills itself with SIGKILL while it handles the first message. */
  | { readonly kind: 'die'; readonly queue: string; readonly prefetch: number }
  | { readonly kind: 'declare'; readonly queues: readonly QueueDefinition[] };

export interface ChildMessage {
  readonly kind: 'holding' | 'declared';
}

/** Runs a consumer in a separate process that the contract can kill; its order is in the command line. */
export async function runConsumerChild(create: (url: string) => MessageTransport): Promise<void> {
  const { url, order }: { url: string; order: ChildOrder } = JSON.parse(process.argv[2] ?? '');
  const transport = create(url);
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
