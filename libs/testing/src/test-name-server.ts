import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';

const HEADER_BYTES = 12;
const TYPE_A = 1;

/**
 * A DNS server that gives each question for IPv4 addresses the next of some answers, each of them addresses separated by
 * commas, and no IPv6 address.
 */
export class TestNameServer {
  readonly asked: string[] = [];
  private readonly socket: Socket = createSocket('udp4');

  constructor(private readonly answers: readonly string[]) {}

  async start(): Promise<Resolver> {
    this.socket.on('message', (question, from) =>
      this.socket.send(this.answer(question), from.port, from.address),
    );
    this.socket.bind(0, '127.0.0.1');
    await once(this.socket, 'listening');
    const resolver = new Resolver({ timeout: 1_000, tries: 1 });
    resolver.setServers([`127.0.0.1:${this.socket.address().port}`]);
    return resolver;
  }

  stop(): void {
    this.socket.close();
  }

  private answer(question: Buffer): Buffer {
    const nameEnd = question.indexOf(0, HEADER_BYTES) + 1;
    const type = question.readUInt16BE(nameEnd);
    const asked = question.subarray(HEADER_BYTES, nameEnd + 4);
    const addresses = type === TYPE_A ? (this.next()?.split(',') ?? []) : [];
    const head = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, addresses.length, 0, 0, 0, 0]);
    question.copy(head, 0, 0, 2);
    const records = addresses.map((address) =>
      Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
    );
    return Buffer.concat([head, asked, ...records]);
  }

  private next(): string | undefined {
    const address = this.answers[Math.min(this.asked.length, this.answers.length - 1)];
    if (address !== undefined) this.asked.push(address);
    return address;
  }
}
