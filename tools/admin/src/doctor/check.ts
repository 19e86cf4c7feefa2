import { withDeadline } from '@vitrine/concurrency';
import { ConfigurationError, type Environment, errorMessage } from '@vitrine/runtime';

/** `skipped` means that the check does not apply here. */
export type State = 'ok' | 'warning' | 'problem' | 'skipped';

export interface Finding {
  readonly check: string;
  readonly state: State;
  /** The finding in one sentence. */
  readonly found: string;
  /** The remedy in one sentence. */
  readonly advice?: string;
}

/** Collects the findings of one check. */
export interface Report {
  ok(found: string): void;
  skip(found: string): void;
  warn(found: string, advice: string): void;
  problem(found: string, advice: string): void;
}

export interface Check {
  readonly name: string;
  /** When it throws, the error is reported as a problem with `advice`. */
  readonly run: (environment: Environment, report: Report) => Promise<void> | void;
  readonly advice: string;
}

/**
 * Runs the checks in parallel, each for `timeoutMs` at most, and returns the findings in the order of the checks. A check
 * that needs a wrong setting is skipped, because another check reports the settings.
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
        found: withoutCredentials(found),
        ...(advice !== undefined && { advice }),
      });
  const report: Report = {
    ok: add('ok'),
    skip: add('skipped'),
    warn: add('warning'),
    problem: add('problem'),
  };
  const late = (): Error => new Error(`no answer within ${timeoutMs / 1000} s`);
  try {
    await withDeadline({ ms: timeoutMs, late }, async () => run(environment, report));
  } catch (error) {
    if (error instanceof ConfigurationError) report.skip('its settings are wrong, see above');
    else report.problem(describeFailure(error), advice);
  }
  return [...findings];
}

/** The messages of an error and its causes. Node's error for failed connections to several addresses has none itself. */
export function describeFailure(error: unknown): string {
  const chain: unknown[] = [error, (error as Error).cause, ...((error as AggregateError).errors ?? [])];
  const messages = chain
    .filter((one) => typeof (one as Error | undefined)?.message === 'string')
    .map((one) => errorMessage(one).replace(/^(\w*Error: )+/, ''));
  return [...new Set(messages.filter(Boolean))].join(': ') || 'it failed without a message';
}

/** Removes the credentials of URLs, which an error may quote. */
const withoutCredentials = (text: string): string =>
  text.replaceAll(/\/\/[^\s/@]*@/g, '//…@').replaceAll(/\s+/g, ' ');
