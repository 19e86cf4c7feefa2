import { connectToStack, type Stack, type StackAddresses, type StackOptions } from './stack';

/** Which of the run's stacks a suite borrows. */
export interface LoanRequest {
  /** Each of Jest's workers is a borrower. Only one borrower uses a stack at a time. */
  readonly borrower: string;
  /** Suites with equal options share a stack. */
  readonly options: StackOptions;
}

/**
 * A stack with an empty database. Its processes already run if an earlier suite has borrowed them. For suites that
 * stop no process and read no output. Its `close` returns the stack.
 */
export async function borrowStack(options: StackOptions = {}): Promise<Stack> {
  const keeper = process.env['VITRINE_TEST_STACKS_URL'];
  if (!keeper) throw new Error('VITRINE_TEST_STACKS_URL is not set: run the tests with npm test or npx jest');
  const request: LoanRequest = { borrower: process.env['JEST_WORKER_ID'] ?? '', options };
  const answer = await fetch(keeper, { method: 'POST', body: JSON.stringify(request) });
  if (!answer.ok) throw new Error(await answer.text());
  return connectToStack((await answer.json()) as StackAddresses);
}
