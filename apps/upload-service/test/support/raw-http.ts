import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertDocumented } from './openapi';

/** One part of a multipart body; only the given fields are sent. */
export interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly type?: string;
  readonly body: Uint8Array | string;
}

export const BOUNDARY = 'vitrine-test-boundary';

/** A multipart body with exactly these bytes. */
export function multipart(...parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(({ name, filename, type, body }) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`,
    filename === undefined ? '' : `; filename="${filename}"`,
    type === undefined ? '' : `\r\nContent-Type: ${type}`,
    '\r\n\r\n',
    body,
    '\r\n',
  ]);
  return Buffer.concat([...pieces, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece)));
}

export const MULTIPART_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A connection on which a test decides about each byte and when it is sent. */
export class RawConnection {
  private received = Buffer.alloc(0);
  private ended = false;
  private asked = { method: '', path: '' };

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => (this.received = Buffer.concat([this.received, chunk])));
    socket.on('error', () => undefined);
    socket.on('close', () => (this.ended = true));
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  sendHead(method: string, path: string, headers: Readonly<Record<string, string>>): void {
    this.asked = { method, path };
    const lines = Object.entries({ Host: 'test', ...headers }).map(([name, value]) => `${name}: ${value}`);
    this.socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  }

  /** Returns true if the bytes were sent immediately. */
  send(bytes: Uint8Array | string): boolean {
    return this.socket.write(bytes);
  }

  get text(): string {
    return this.received.toString('latin1');
  }

  get closed(): boolean {
    return this.ended;
  }

  hangUp(): void {
    this.socket.destroy();
  }

  /** The next complete answer; interim answers (1xx) are left out. */
  async answer(timeoutMs = 10_000): Promise<RawAnswer> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const answer = parseAnswer(this.text);
      if (answer) {
        const { status, headers, body } = answer;
        assertDocumented(this.asked.method, this.asked.path, { status, body, headers: new Headers(headers) });
        return answer;
      }
      if (this.ended) throw new Error(`The connection ended after: ${JSON.stringify(this.text)}`);
      if (Date.now() > deadline) throw new Error(`No whole answer in time: ${JSON.stringify(this.text)}`);
      await sleep(10);
    }
  }
}

function parseAnswer(text: string): RawAnswer | null {
  const withoutInterim = text.replace(/^(?:HTTP\/1\.1 1\d\d [^]*?\r\n\r\n)+/, '');
  const end = withoutInterim.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [statusLine = '', ...lines] = withoutInterim.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const body = withoutInterim.slice(end + 4);
  if (body.length < Number(headers['content-length'] ?? 0)) return null;
  return { status: Number(statusLine.split(' ')[1]), headers, body };
}
