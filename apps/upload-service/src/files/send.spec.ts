import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Pieces } from '@vitrine/storage';
import { eventually } from '@vitrine/testing';
import { ReaderGoneError, type ReaderPace, send } from './send';

const PIECE_BYTES = 65_536;
/** More than the system buffers of a connection. */
const MANY = 400;
const PATIENT: ReaderPace = {
  idleSeconds: 60,
  minBytesPerSecond: 2 * PIECE_BYTES,
  graceSeconds: 0.1,
  isCrowded: () => false,
};

describe('send', () => {
  let server: Server;
  let closed: number;
  /** How each response ended. */
  let outcomes: Promise<unknown>[];
  let pieces: () => Pieces;
  let pace: ReaderPace;
  /** Delays the start of a response. */
  let before: Promise<void> | undefined;

  beforeEach(async () => {
    closed = 0;
    outcomes = [];
    pace = PATIENT;
    before = undefined;
    const answer = async (response: ServerResponse): Promise<unknown> => {
      await before;
      return send(pieces(), response, pace).then(
        () => 'sent',
        (error: unknown) => error,
      );
    };
    server = createServer((_request: IncomingMessage, response: ServerResponse) => {
      outcomes.push(answer(response));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const port = (): number => (server.address() as AddressInfo).port;
  const ask = async (): Promise<IncomingMessage> => {
    const [answer] = (await once(get({ port: port(), agent: false }), 'response')) as [IncomingMessage];
    return answer;
  };
  /** Sends this many requests at the same time, and reads no response. */
  const askAhead = (times: number): Socket => {
    const socket = connect(port(), '127.0.0.1').on('error', () => undefined);
    socket.pause().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(times));
    return socket;
  };
  const begun = (count: number): Promise<void> => eventually(() => expect(outcomes).toHaveLength(count));

  /** Yields pieces in one shared buffer, like a storage. */
  async function* noise(count: number, told = createHash('sha256')): Pieces {
    const buffer = Buffer.alloc(PIECE_BYTES);
    try {
      for (let i = 0; i < count; i++) {
        randomBytes(PIECE_BYTES).copy(buffer);
        told.update(buffer);
        yield buffer;
      }
    } finally {
      closed++;
    }
  }

  it('sends every byte at any reader’s pace, though the pieces share one buffer', async () => {
    const told = createHash('sha256');
    pieces = () => noise(MANY, told);
    const got = createHash('sha256');
    const answer = await ask();
    let chunks = 0;
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      got.update(chunk);
      if (chunks++ % 10 === 0) await new Promise(setImmediate);
    }
    expect(got.digest('hex')).toBe(told.digest('hex'));
    expect(await outcomes[0]).toBe('sent');
    expect(closed).toBe(1);
  });

  it('stops when the reader closes the connection', async () => {
    pieces = () => noise(MANY);
    (await ask()).destroy();
    expect(await outcomes[0]).toBeInstanceOf(ReaderGoneError);
    expect(closed).toBe(1);
  });

  it('closes the connection if reading the pieces fails', async () => {
    pieces = async function* () {
      yield Buffer.from('half');
      throw new Error('The disk is gone');
    };
    const answer = await ask();
    await expect(answer.toArray()).rejects.toThrow('aborted');
    expect(await outcomes[0]).toMatchObject({ message: 'The disk is gone' });
  });

  it('disconnects a reader that reads nothing, even if it sends data meanwhile', async () => {
    pieces = () => noise(MANY);
    pace = { ...PATIENT, idleSeconds: 0.2 };
    const socket = askAhead(1);
    const drip = setInterval(() => socket.write('\r\n'), 20);
    await begun(1);
    expect(await outcomes[0]).toBeInstanceOf(ReaderGoneError);
    clearInterval(drip);
  });

  it('disconnects a reader that is slower than its rate once others need its place, and not before', async () => {
    pieces = () => noise(MANY);
    let looks = 0;
    let isCrowded = false;
    pace = { ...PATIENT, isCrowded: () => (looks++, isCrowded) };
    askAhead(1);
    await begun(1);
    await eventually(() => expect(looks).toBeGreaterThan(1));
    expect(closed).toBe(0);
    isCrowded = true;
    expect(await outcomes[0]).toBeInstanceOf(ReaderGoneError);
  });

  it('gives a reader that stops no more time for a large piece than for a small one while others need its place', async () => {
    const written: number[] = [];
    pieces = async function* () {
      for (let i = 0; i < MANY; i++) yield Buffer.alloc(8 * PIECE_BYTES);
    };
    pace = { ...PATIENT, isCrowded: () => true };
    before = once(server, 'request').then((request) => {
      const [, response] = request as [IncomingMessage, ServerResponse];
      const write = response.write.bind(response) as (...args: unknown[]) => boolean;
      response.write = (...args: [Uint8Array, ...never[]]) => (written.push(args[0].length), write(...args));
    });
    askAhead(1);
    await begun(1);
    expect(await outcomes[0]).toBeInstanceOf(ReaderGoneError);
    expect(Math.max(...written)).toBe(PIECE_BYTES);
  });

  it('does not disconnect a reader that keeps its rate while others need its place', async () => {
    pieces = () => noise(MANY);
    pace = { ...PATIENT, graceSeconds: 60, isCrowded: () => true };
    const answer = await ask();
    answer.resume();
    expect(await outcomes[0]).toBe('sent');
  });

  it('counts a pipelined response’s time only from its turn', async () => {
    pace = { ...PATIENT, idleSeconds: 0.2 };
    let endFirst = (): void => undefined;
    const first = new Promise<void>((resolve) => (endFirst = resolve));
    async function* late(): Pieces {
      await first;
      yield Buffer.from('late');
    }
    /** More than the system buffers, so that its one write begins before its turn and ends during it. */
    async function* whole(): Pieces {
      try {
        yield Buffer.alloc(MANY * PIECE_BYTES);
      } finally {
        closed++;
      }
    }
    let asked = 0;
    pieces = () => (asked++ === 0 ? late() : whole());
    askAhead(2);
    await begun(2);
    // A later response is idle for long enough.
    askAhead(1);
    await begun(3);
    expect(await Promise.race([outcomes[1], outcomes[2]!.then(() => 'the later one')])).toBe('the later one');
    endFirst();
    expect(await outcomes[0]).toBe('sent');
    expect(await outcomes[1]).toBeInstanceOf(ReaderGoneError);
    expect(closed).toBe(2);
  });

  it('closes pipelined responses that wait behind another one', async () => {
    pieces = () => noise(MANY);
    const socket = askAhead(2);
    await begun(2);
    socket.destroy();
    for (const outcome of outcomes) expect(await outcome).toBeInstanceOf(ReaderGoneError);
    expect(closed).toBe(2);
  });

  it('sends nothing if the reader left before the start', async () => {
    pieces = () => noise(MANY);
    let begin = (): void => undefined;
    before = new Promise<void>((resolve) => (begin = resolve));
    const socket = askAhead(2);
    const [connection] = (await once(server, 'connection')) as [Socket];
    await begun(2);
    const gone = once(connection, 'close');
    socket.destroy();
    await gone;
    begin();
    for (const outcome of outcomes) expect(await outcome).toBeInstanceOf(ReaderGoneError);
    expect(closed).toBe(2);
  });
});
