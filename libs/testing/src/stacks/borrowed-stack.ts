import { connectToStack, type Stack, type StackAddresses, type StackOptions } from './stack';

/** Which of the run's stacks a suite borrows. */
export interface LoanRequest {
  /** One borrower uses a stack at a time; each of Jest's workers is one. */
  readonly borrower: string;
  /** Suites with equal options share a stack. */
  readonly options: StackOptions;
}

/**
 * A stack with an empty database, whose processes run already if a suite before this one has borrowed them. For suites
 * that stop no process and read no output. Its `close` returns it.
 */
export async function borrowStack(options: StackOptions = {}): Promise<Stack> {
  const keeper = process.env['VITRINE_TEST_STACKS_URL'];
  if (!keeper) throw new Error('VITRINE_TEST_STACKS_URL is not set: run the tests with npm test or npx jest');
  const request: LoanRequest = { borrower: process.env['JEST_WORKER_ID'] ?? '', options };
  const answer = await fetch(keeper, { method: 'POST', body: JSON.stringify(request) });
  if (!answer.ok) throw new Error(await answer.text());
  return connectToStack((await answer.json()) as StackAddresses);
}
