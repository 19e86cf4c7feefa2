import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';

/** The largest result has a tenth of that: a thousand scenes with two hashes each. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * The parent's end of a worker's channel: a line of JSON for each message. `fork` of Node.js would trust the child: a line without
 * end, one that is not JSON, or a message of its own protocol ends the parent. `broken` is emitted if the worker sends what is not
 * JSON, or too much after one request; the worker is then not heard again.
 */
export class WorkerChannel extends EventEmitter<{ message: [unknown]; broken: [] }> {
  private rest: Buffer[] = [];
  private received = 0;

  constructor(private readonly pipe: Duplex) {
    super();
    pipe.on('data', (chunk: Buffer) => this.read(chunk));
    // The end of the worker is noticed by its exit.
    pipe.on('error', () => undefined);
  }

  get open(): boolean {
    return this.pipe.writable;
  }

  send(message: unknown): void {
    this.received = 0;
    this.pipe.write(`${JSON.stringify(message)}\n`);
  }

  private read(chunk: Buffer): void {
    this.received += chunk.length;
    if (this.received > MAX_BYTES) return this.break();
    if (!chunk.includes('\n')) return void this.rest.push(chunk);
    const lines = Buffer.concat([...this.rest, chunk])
      .toString('utf8')
      .split('\n');
    this.rest = [Buffer.from(lines.pop() ?? '')];
    for (const line of lines) {
      let message: unknown;
      try {
        message = JSON.parse(line);
      } catch {
        return this.break();
      }
      this.emit('message', message);
    }
  }

  private break(): void {
    this.rest = [];
    this.pipe.destroy();
    this.emit('broken');
  }
}
