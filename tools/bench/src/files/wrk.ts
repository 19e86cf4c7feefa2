import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { debianProgram } from '@vitrine/testing';

/** What wrk measured. */
export interface Load {
  /** Bytes received, those of unfinished answers among them: a short measurement of large files ends none. */
  readonly bytesPerSecond: number;
  /** Milliseconds from a request to the end of its answer, 99th percentile. */
  readonly p99: number;
}

export interface LoadOptions {
  readonly base: string;
  /** Requested in turn. */
  readonly paths: readonly string[];
  readonly connections: number;
  readonly seconds: number;
}

/** Each thread begins elsewhere, so that two threads don't request the same file together. */
const SCRIPT = `
local threads = 0
function setup(thread) thread:set("id", threads); threads = threads + 1 end
local paths = { PATHS }
local at = 0
function init() at = id * math.floor(#paths / 2) end
function request() at = at + 1; return wrk.format("GET", paths[at % #paths + 1]) end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format("RESULT %d %d %d %d\\n", summary.bytes, summary.duration, latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout))
end
`;

/** Loads a server with wrk, which is installed if it is missing and we are root. Throws if an answer is an error. */
export async function measureLoad({ base, paths, connections, seconds }: LoadOptions): Promise<Load> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-wrk-'));
  try {
    const script = join(folder, 'load.lua');
    await writeFile(script, SCRIPT.replace('PATHS', paths.map((path) => `"${path}"`).join(',')));
    const args = ['-t2', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', script, base];
    const { stdout } = await promisify(execFile)(debianProgram('wrk'), args);
    const [bytes = 0, micros = 1, p99 = 0, errors = 0] =
      /^RESULT (.*)$/m.exec(stdout)?.[1]?.split(' ').map(Number) ?? [];
    if (errors > 0 || bytes === 0)
      throw new Error(`${base}: ${connections} connections, ${bytes} bytes, ${errors} errors`);
    return { bytesPerSecond: bytes / (micros / 1e6), p99: p99 / 1000 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
