import { Agent, createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { ServerDrain } from './server-drain';

describe('ServerDrain', () => {
  let server: Server;
  let drain: ServerDrain;
  let port: number;
  let handle: (request: IncomingMessage, response: ServerResponse) => void;
  const agent = new Agent({ keepAlive: true });
  let sockets: Socket[] = [];

  beforeEach(async () => {
    handle = (_request, response) => void response.end('served');
    server = createServer((request, response) => handle(request, response));
    server.keepAliveTimeout = 60_000;
    drain = new ServerDrain(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterEach(() => {
    sockets.splice(0).forEach((socket) => socket.destroy());
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });

  const ask = async (): Promise<{ body: string; connection: string | undefined }> => {
    const [answer] = (await once(get({ port, agent }), 'response')) as [IncomingMessage];
    return { body: await text(answer), connection: answer.headers.connection };
  };
  const open = async (bytes = ''): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    sockets = [...sockets, socket];
    await once(socket, 'connect');
    socket.write(bytes);
    return socket;
  };
  const closed = (): Promise<void> => new Promise((done) => server.close(() => done()));

  it('continues to serve, and asks each client to use another connection', async () => {
    expect(await ask()).toEqual({ body: 'served', connection: 'keep-alive' });
    drain.begin();
    expect(await ask()).toEqual({ body: 'served', connection: 'close' });
    expect(await ask()).toEqual({ body: 'served', connection: 'close' });
  });

  it('asks the client of a request in progress to use another connection', async () => {
    const waiting = new Promise<ServerResponse>((begun) => {
      handle = (_request, response) => begun(response);
    });
    const answer = ask();
    const response = await waiting;
    drain.begin();
    const end = closed();

    response.end('late');

    expect(await answer).toEqual({ body: 'late', connection: 'close' });
    await end;
  });

  it('finishes an answer whose headers promised to keep the connection', async () => {
    const waiting = new Promise<ServerResponse>((begun) => {
      handle = (_request, response) => {
        response.write('first ');
        begun(response);
      };
    });
    const answer = ask();
    const response = await waiting;
    drain.begin();
    const end = closed();

    response.end('last');

    expect(await answer).toEqual({ body: 'first last', connection: 'keep-alive' });
    await end;
  });

  it('does not wait for a connection without a request or with an incomplete one', async () => {
    const unused = [await open(), await open('GET / HTTP/1.1\r\nHo')];
    const gone = Promise.all(unused.map((socket) => once(socket.resume(), 'close')));
    drain.begin();
    await closed();
    await gone;
  });

  it('answers a request that arrived while this process paused', async () => {
    const [socket] = await Promise.all([open(), once(server, 'connection')]);
    drain.begin();
    const end = closed();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    // Longer than a connection may be quiet. The client's bytes wait in the system.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(head.toString()).toContain('HTTP/1.1 200 OK');
    await end;
  });

  it('answers a client that is still sending without closing its connection', async () => {
    const socket = await open();
    drain.begin();
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab');
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(head.toString().toLowerCase()).toContain('connection: keep-alive');
  });
});
