import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { FaultProxy } from './fault-proxy';

/** How long a delayed or silent connection is observed. */
const SILENCE_MS = 150;

describe('FaultProxy', () => {
  let echo: Server;
  let proxy: FaultProxy;
  const far = new Set<Socket>();

  beforeEach(async () => {
    echo = createServer((socket) => {
      far.add(socket);
      socket.on('error', () => undefined).pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(echo, 'listening');
    proxy = await FaultProxy.start(SILENCE_MS);
    proxy.leadTo({ port: (echo.address() as AddressInfo).port, host: '127.0.0.1' });
  });
  afterEach(async () => {
    await proxy.close();
    echo.close();
    far.forEach((socket) => socket.destroy());
    far.clear();
  });

  const open = async (): Promise<Socket> => {
    const socket = connect(proxy.port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  /** Sends a word and returns its echo, `closed`, or `nothing` if no answer came within `waitMs`, if that is given. */
  const say = (socket: Socket, word: string, waitMs?: number): Promise<string> =>
    new Promise((resolve) => {
      if (waitMs) setTimeout(() => resolve('nothing'), waitMs);
      socket.once('data', (bytes) => resolve(bytes.toString())).once('close', () => resolve('closed'));
      socket.write(word);
    });
  /** Resolves at the end of the connection. Unlike `once`, it ignores earlier errors. */
  const closed = (socket: Socket): Promise<void> =>
    new Promise((resolve) => socket.once('close', () => resolve()));

  it('forwards bytes and the end', async () => {
    const socket = await open();

    expect(await say(socket, 'hello')).toBe('hello');
    socket.end();
    await closed(socket);
  });

  it('delays', async () => {
    const socket = await open();
    proxy.cause('delay');

    expect(await say(socket, 'late', SILENCE_MS)).toBe('nothing');
    expect((await once(socket, 'data')).toString()).toBe('late');
  });

  it('resets old and new connections until it heals', async () => {
    const old = await open();
    proxy.cause('reset');
    await closed(old);

    expect(
      await say(
        connect(proxy.port, '127.0.0.1').on('error', () => undefined),
        'x',
      ),
    ).toBe('closed');
    proxy.heal();
    expect(await say(await open(), 'well')).toBe('well');
  });

  it('resets old connections and accepts new ones without answering', async () => {
    const old = await open();
    proxy.cause('half-open');
    await closed(old);
    const mute = await open();

    expect(await say(mute, 'x', SILENCE_MS)).toBe('nothing');
    proxy.heal();
    expect(await say(mute, 'x', SILENCE_MS)).toBe('nothing');
    expect(await say(await open(), 'well')).toBe('well');
  });

  it('keeps old connections silent and ends them at the engine after it has healed', async () => {
    const old = await open();
    await say(old, 'before');
    const [engineSide] = far;
    proxy.cause('black hole');

    expect(await say(old, 'x', SILENCE_MS)).toBe('nothing');
    old.destroy();
    await closed(old);
    expect(engineSide?.destroyed).toBe(false);
    const heard = closed(engineSide as Socket);
    proxy.heal();
    await heard;
    expect(await say(await open(), 'well')).toBe('well');
  });
});
