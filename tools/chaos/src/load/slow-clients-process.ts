import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { bitmapHead } from '../clients/bitmap';
import type { SlowOrder, SlowReport } from './slow-clients';

/** The rate of a slow client: twice the minimum of the upload host. */
const BYTES_A_SECOND = 4096;
/** Large enough that no upload completes at that rate during a run. */
const FILE_BYTES = 20_000_000;
const ABORTED_AFTER_BYTES = 65_536;
const ABORTED_AFTER_MS = 50;

const sockets = new Set<Socket>();
const timers = new Set<NodeJS.Timeout>();
const uploading = new Set<Socket>();
const reading = new Set<Socket>();
const answered = new Map<string, number>();
const abortsAnswered = new Map<string, number>();
let aborted = 0;

process.once('message', (order: SlowOrder) => {
  void arrive(order).then(() => process.send?.('arrived'));
  process.on('message', (message) => {
    if (message === 'leave') leave();
    else void abortAll(order).then(() => process.send?.('aborted'));
  });
});

/** Opens the connections gradually: opening all of them at the same time would be a different test. */
async function arrive(order: SlowOrder): Promise<void> {
  for (let index = 0; index < order.uploaders; index++) {
    upload(order, index);
    if (index % 25 === 0) await pause(20);
  }
  for (let index = 0; index < order.readers; index++) {
    read(order, index);
    // Each immediately receives as much as the system buffers for a connection.
    if (index % 5 === 0) await pause(50);
  }
}

async function abortAll(order: SlowOrder): Promise<void> {
  const began = performance.now();
  const aborts: Promise<void>[] = [];
  for (let index = 0; index < order.abortedUploads; index++) {
    const due = began + (index / order.abortedUploads) * order.abortingSeconds * 1000;
    await pause(Math.max(0, due - performance.now()));
    aborts.push(abort(order, index));
  }
  await Promise.all(aborts);
}

function leave(): void {
  const report: SlowReport = {
    uploadsAnswered: Object.fromEntries(answered),
    uploadsInProgress: uploading.size,
    aborted,
    abortsAnswered: Object.fromEntries(abortsAnswered),
    readersInProgress: reading.size,
  };
  for (const timer of timers) clearInterval(timer);
  for (const socket of sockets) socket.destroy();
  process.send?.(report, () => process.disconnect());
}

function open({ host, port }: SlowOrder): Socket {
  const socket = connect(port, host);
  sockets.add(socket);
  socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  return socket;
}

function upload(order: SlowOrder, index: number): void {
  const socket = open(order);
  uploading.add(socket);
  socket.write(head(order, order.tokens[index % order.tokens.length], addressOf('uploader', index)));
  socket.write(bitmapHead(FILE_BYTES));
  const timer = setInterval(() => socket.write(Buffer.alloc(BYTES_A_SECOND / 2, index)), 500);
  timers.add(timer);
  countAnswer(socket, answered);
  socket.once('close', () => {
    uploading.delete(socket);
    clearInterval(timer);
  });
}

/** Counts an answer and closes the connection: an upload that is answered early has ended. */
function countAnswer(socket: Socket, counts: Map<string, number>): void {
  socket.setEncoding('latin1').once('data', (text: string) => {
    const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 'no status';
    counts.set(status, (counts.get(status) ?? 0) + 1);
    socket.destroy();
  });
}

function abort(order: SlowOrder, index: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = open(order);
    socket.once('close', () => resolve());
    countAnswer(socket, abortsAnswered);
    const token = order.abortingTokens[index % order.abortingTokens.length];
    socket.write(head(order, token, addressOf('aborter', index)));
    socket.write(bitmapHead(FILE_BYTES));
    const leave = (): void => {
      if (socket.destroyed) return;
      aborted++;
      socket.resetAndDestroy();
    };
    socket.write(Buffer.alloc(ABORTED_AFTER_BYTES, index), () => setTimeout(leave, ABORTED_AFTER_MS));
  });
}

/** Reads a little of the file at intervals; the rest waits in the host's buffers. */
function read(order: SlowOrder, index: number): void {
  const socket = open(order);
  socket.pause();
  const from = `X-Forwarded-For: ${addressOf('reader', index)}`;
  socket.write(`GET ${order.filePath} HTTP/1.1\r\nHost: ${order.host}\r\n${from}\r\n\r\n`);
  const timer = setInterval(() => {
    const bytes = socket.read(BYTES_A_SECOND) as Buffer | null;
    if (bytes?.toString('latin1').startsWith('HTTP/1.1 200')) reading.add(socket);
  }, 1000);
  timers.add(timer);
  socket.once('close', () => {
    reading.delete(socket);
    clearInterval(timer);
  });
}

/** A different address for each client, as from a trusted proxy: the host limits the connections of one address. */
function addressOf(kind: 'uploader' | 'aborter' | 'reader', index: number): string {
  const network = { uploader: 1, aborter: 2, reader: 3 }[kind];
  return `10.${network}.${index >> 8}.${index & 255}`;
}

function head({ host, uploadPath }: SlowOrder, token: string | undefined, address: string): string {
  const part = [
    '--slow',
    'Content-Disposition: form-data; name="file"; filename="slow.bmp"',
    'Content-Type: application/octet-stream',
    '',
    '',
  ].join('\r\n');
  return [
    `POST ${uploadPath} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${token}`,
    `X-Forwarded-For: ${address}`,
    'Content-Type: multipart/form-data; boundary=slow',
    `Content-Length: ${FILE_BYTES}`,
    '',
    part,
  ].join('\r\n');
}
