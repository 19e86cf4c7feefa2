import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { printable } from '@vitrine/runtime/standalone';

const COLOURS = [36, 32, 33, 35, 34];

/**
 * The only code that writes to the terminal. It writes whole lines, each with the name of the process that wrote it.
 */
export class LogLines {
  private readonly names: string[] = [];
  private readonly width: number;

  constructor(
    private readonly output: NodeJS.WritableStream & { isTTY?: boolean },
    names: readonly string[],
    private readonly coloured = output.isTTY === true,
  ) {
    this.names.push(...names);
    this.width = Math.max(...names.map((name) => name.length));
    // A closed terminal must not end us before we have stopped the processes that we started.
    output.on('error', () => undefined);
  }

  /** Writes every line of a process's output under its name. */
  follow(name: string, stream: Readable): void {
    createInterface({ input: stream, crlfDelay: Infinity }).on('line', (line) => this.write(name, line));
  }

  /** Writes one message under a name, without control characters; each of its lines is written separately. */
  write(name: string, message: string): void {
    for (const line of printable(message).split('\n')) this.plain(`${this.prefix(name)}${line}`);
  }

  /** Writes one line as it is. */
  plain(line: string): void {
    this.output.write(`${line}\n`);
  }

  private prefix(name: string): string {
    const text = `${name.padEnd(this.width)} |`;
    const index = this.names.indexOf(name);
    const colour = COLOURS[index % COLOURS.length];
    return this.coloured && index >= 0 ? `\u001B[${colour}m${text}\u001B[0m ` : `${text} `;
  }
}
