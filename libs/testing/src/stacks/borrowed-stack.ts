import { connectToStack, type Stack, type StackAddresses, type StackOptions } from './stack';

/** Which of the run's stacks a suite borrows. */
export interface LoanRequest {
  /** Each of Jest's workers is a borrower. Only one borrower uses a stack at a time. */
  readonly borrower: string;
  /** Suites with equal options share a stack. */
  readonly options: StackOptions;
}

/**
 * A stack with an empty database. Its processes already exist if an earlier suite has borrowed them. For suites that
 * stop no process and read no output. Its `close` returns the stack, whose processes then pause.
 */
export async function borrowStack(options: StackOptions = {}): Promise<Stack> {
  const loan: LoanRequest = { borrower: process.env['JEST_WORKER_ID'] ?? '', options };
  const stack = await connectToStack((await askKeeper('POST', loan)) as StackAddresses);
  return {
    ...stack,
    close: async () => {
      await stack.close();
      await askKeeper('DELETE', loan);
    },
  };
}

/** Takes (POST) or returns (DELETE) a stack. */
async function askKeeper(method: 'POST' | 'DELETE', loan: LoanRequest): Promise<unknown> {
  const keeper = process.env['VITRINE_TEST_STACKS_URL'];
  if (!keeper) throw new Error('VITRINE_TEST_STACKS_URL is not set: run the tests with npm test or npx jest');
  const answer = await fetch(keeper, { method, body: JSON.stringify(loan) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}
