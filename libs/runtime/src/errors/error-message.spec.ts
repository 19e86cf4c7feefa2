import { errorMessage } from './error-message';
import { loggable } from '../logging/loggable';

/** An error like those of pg: PostgreSQL quotes the value that it can't read. */
const dataException = Object.assign(new Error('invalid input syntax for type bigint: "hunter2 "quoted""'), {
  code: '22P02',
});

const syntaxError = (): unknown => {
  try {
    return JSON.parse('hunter2');
  } catch (error) {
    return error;
  }
};

describe('errorMessage', () => {
  it.each([
    ['PostgreSQL', dataException],
    ["JSON's parser", syntaxError()],
  ])('removes the values that %s quotes', (_, error) => {
    expect(errorMessage(error)).not.toContain('hunter2');
    const logged = loggable(error) as Error;
    expect(`${logged.message} ${logged.stack}`).not.toContain('hunter2');
    expect(logged.stack).toContain('error-message.spec');
  });

  it('returns the whole message of any other error', () => {
    expect(errorMessage(new Error('relation "votes" does not exist'))).toBe(
      'relation "votes" does not exist',
    );
    expect(errorMessage('a word')).toBe('a word');
  });
});
