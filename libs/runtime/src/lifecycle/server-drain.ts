import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { bringsBody } from '../http/requests';

/** Once the port is closed, a connection that receives nothing for this long counts as unused. */
const QUIET_MS = 2_000;
const LOOK_MS = 250;

interface Connection {
  /** Requests whose answers have not ended. */
  open: number;
  /** Bytes that had arrived at the last check. */
  bytes: number;
  /**
   * Checks since the last bytes or answer. They are counted instead of the time: after a pause of this process, a check
   * comes before the requests that arrived meanwhile.
   */
  quietChecks: number;
}

/**
 * Closes the connections of an HTTP server without failing a request. After `begin`, each answer tells its client to
 * use another connection from then on. Once the port is closed, connections without a request in progress are closed.
 * Node by itself would keep busy connections alive, and would wait without limit for a connection that never brought a
 * request, as browsers open in advance.
 */
export class ServerDrain {
  private readonly connections = new Map<Socket, Connection>();
  private begun = false;

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.connections.set(socket, { open: 0, bytes: 0, quietChecks: 0 });
      socket.once('close', () => this.connections.delete(socket));
    });
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
      this.track(request, response),
    );
  }

  /** Begins the drain; the port is still open. */
  begin(): void {
    if (this.begun) return;
    this.begun = true;
    // For connections whose last answer has already promised to keep them alive.
    this.server.keepAliveTimeout = QUIET_MS;
    const timer = setInterval(() => {
      this.endQuiet();
      if (!this.server.listening && this.connections.size === 0) clearInterval(timer);
    }, LOOK_MS);
    timer.unref();
  }

  private track(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.connections.get(request.socket);
    if (connection) {
      connection.open++;
      response.once('close', () => {
        connection.open--;
        connection.quietChecks = 0;
      });
    }
    response.writeHead = new Proxy(response.writeHead, {
      apply: (writeHead, self, head) => {
        // Closing the connection while its client still sends could lose the answer.
        if (this.begun && hasArrived(request)) response.shouldKeepAlive = false;
        return Reflect.apply(writeHead, self, head);
      },
    });
  }

  private endQuiet(): void {
    for (const [socket, connection] of this.connections) {
      if (socket.bytesRead !== connection.bytes) connection.quietChecks = 0;
      else connection.quietChecks++;
      connection.bytes = socket.bytesRead;
      const isQuiet = connection.open === 0 && connection.quietChecks >= QUIET_MS / LOOK_MS;
      if (isQuiet && !this.server.listening) socket.destroy();
    }
  }
}

/** Whether a request has arrived completely. */
const hasArrived = (request: IncomingMessage): boolean => request.complete || !bringsBody(request);
