import { ConfigurationError, type Environment, errorMessage } from '@vitrine/runtime';

/** `skipped`: does not apply here. */
export type State = 'ok' | 'warning' | 'problem' | 'skipped';

export interface Finding {
  readonly check: string;
  readonly state: State;
  /** What was found, in one sentence. */
  readonly found: string;
  /** What to do about it, in one sentence. */
  readonly advice?: string;
}

/** What one check reports into; its name is added to each finding. */
export interface Report {
  ok(found: string): void;
  skip(found: string): void;
  warn(found: string, advice: string): void;
  problem(found: string, advice: string): void;
}

export interface Check {
  readonly name: string;
  /** Throwing is a problem too, with the check's own advice. */
  readonly run: (environment: Environment, report: Report) => Promise<void> | void;
  readonly advice: string;
}

/**
 * Runs the checks side by side, each for `timeoutMs` at most, and returns what they found in their order. Where a
 * setting is wrong, the check that needs it is skipped: the settings have a check of their own.
 */
export async function examine(
  checks: readonly Check[],
  environment: Environment,
  timeoutMs: number,
): Promise<readonly Finding[]> {
  return (await Promise.all(checks.map((check) => examineOne(check, environment, timeoutMs)))).flat();
}

async function examineOne(
  { name, run, advice }: Check,
  environment: Environment,
  timeoutMs: number,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const add =
    (state: State) =>
    (found: string, advice?: string): void =>
      void findings.push({
        check: name,
        state,
        found: discreet(found),
        ...(advice !== undefined && { advice }),
      });
  const report: Report = {
    ok: add('ok'),
    skip: add('skipped'),
    warn: add('warning'),
    problem: add('problem'),
  };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
  });
  try {
    await Promise.race([run(environment, report), late]);
  } catch (error) {
    if (error instanceof ConfigurationError) report.skip('its settings are wrong, as told above');
    else report.problem(describeFailure(error), advice);
  } finally {
    clearTimeout(timer);
  }
  return [...findings];
}

/** Node wraps failed connections to several addresses in an error without a message. */
export function describeFailure(error: unknown): string {
  const chain: unknown[] = [error, (error as Error).cause, ...((error as AggregateError).errors ?? [])];
  const messages = chain
    .filter((one) => typeof (one as Error | undefined)?.message === 'string')
    .map((one) => errorMessage(one).replace(/^(\w*Error: )+/, ''));
  return [...new Set(messages.filter(Boolean))].join(': ') || 'it failed without a reason';
}

/** Credentials of a URL, should an error quote one. */
const discreet = (text: string): string => text.replaceAll(/\/\/[^\s/@]*@/g, '//…@').replaceAll(/\s+/g, ' ');
