import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { bringsBody } from '../http/brings-body';

/** A connection that brings nothing for this long once the port is closed is taken for unused. */
const QUIET_MS = 2_000;
const LOOK_MS = 250;

interface Connection {
  /** Requests without the end of their answer. */
  open: number;
  /** What had arrived at the last look, and when that changed. */
  bytes: number;
  quietSince: number;
}

/**
 * Lets an HTTP server's connections go without failing a request. From `begin` on, each answer tells its client to
 * come back on another connection; once the port is closed, connections on which nothing is under way are ended.
 * Node by itself would go on keeping the busy ones alive, and wait without end for one that never brought a request,
 * as browsers open them ahead.
 */
export class ServerDrain {
  private readonly connections = new Map<Socket, Connection>();
  private begun = false;

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.connections.set(socket, { open: 0, bytes: 0, quietSince: Date.now() });
      socket.once('close', () => this.connections.delete(socket));
    });
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
      this.accompany(request, response),
    );
  }

  /** The process is about to stop; the port is still open. */
  begin(): void {
    if (this.begun) return;
    this.begun = true;
    // For connections whose last answer was under way already, and promised that they stay.
    this.server.keepAliveTimeout = QUIET_MS;
    const timer = setInterval(() => {
      if (!this.server.listening) this.endQuiet();
      if (!this.server.listening && this.connections.size === 0) clearInterval(timer);
    }, LOOK_MS);
    timer.unref();
  }

  private accompany(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.connections.get(request.socket);
    if (connection) {
      connection.open++;
      response.once('close', () => {
        connection.open--;
        connection.quietSince = Date.now();
      });
    }
    response.writeHead = new Proxy(response.writeHead, {
      apply: (writeHead, self, head) => {
        // Closing on a client that still sends could lose the answer on its way to it.
        if (this.begun && hasArrived(request)) response.shouldKeepAlive = false;
        return Reflect.apply(writeHead, self, head);
      },
    });
  }

  private endQuiet(): void {
    const now = Date.now();
    for (const [socket, connection] of this.connections) {
      if (socket.bytesRead !== connection.bytes) {
        connection.bytes = socket.bytesRead;
        connection.quietSince = now;
      }
      if (connection.open === 0 && now - connection.quietSince >= QUIET_MS) socket.destroy();
    }
  }
}

/** Whether a request has arrived completely. */
const hasArrived = (request: IncomingMessage): boolean => request.complete || !bringsBody(request);
