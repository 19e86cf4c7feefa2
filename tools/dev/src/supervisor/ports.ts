import { createServer } from 'node:net';
import { StartError } from './start-error';

/** A port that a process will listen on, and the setting that changes it. */
export interface PortClaim {
  readonly port: number;
  readonly setting: string;
  readonly process: string;
  /** The address it listens on; by default all addresses. */
  readonly host?: string;
}

/** Throws a `StartError` that names each port that is not available, and the setting that changes it. */
export async function checkPorts(claims: readonly PortClaim[]): Promise<void> {
  const problems = (await Promise.all(claims.map((claim) => problemWith(claim, claims)))).filter(Boolean);
  if (problems.length > 0) throw new StartError(problems.join('\n'));
}

async function problemWith(claim: PortClaim, all: readonly PortClaim[]): Promise<string | undefined> {
  const { port, setting, process, host } = claim;
  const rival = all.find((other) => other.port === port && other !== claim);
  if (rival)
    return `Port ${port} is wanted by ${process} (${setting}) and by ${rival.process} (${rival.setting}).`;
  // On some systems a process can listen on all addresses although another program has the port on loopback and
  // receives the connections.
  for (const address of host === undefined ? [undefined, '127.0.0.1'] : [host]) {
    const code = await tryListening(port, address);
    if (code === 'EADDRINUSE') {
      return `Port ${port} (${process}) is in use by another program. Stop it, or choose another port with ${setting}.`;
    }
    if (code === 'EACCES') {
      return `Port ${port} (${process}) needs rights that this user lacks. Choose another port with ${setting}.`;
    }
    if (code === 'EADDRNOTAVAIL' && host !== undefined) {
      return `${host} is not an address of this machine. Choose another with MANAGEMENT_HOST.`;
    }
  }
  return undefined;
}

function tryListening(port: number, host: string | undefined): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
